/** What the owner has set a threshold for, judged of each pack: OWNED of the table. */
import { cellDelta, charge, highestOf, temperatureSpan } from "../catalogue/computed";
import type { Pack } from "../catalogue/pack";
import { currentResult } from "../catalogue/read";
import type { Compute } from "../catalogue/row";
import { OWNED, type Owned } from "./table";

/** By the row's code, in its unit; of silence for how long. 0: none is set. */
export type Thresholds = Readonly<Record<Owned, number>>;

const SILENCE = OWNED.indexOf("offlineAfter");
const SOC = OWNED.indexOf("soc");
const SPREAD = OWNED.indexOf("spread");
const TEMPERATURE = OWNED.indexOf("temperature");

const current = (source: Compute, pack: Pack): number | undefined => currentResult(source, pack) as number | undefined;

export const thresholdOf = (row: number, thresholds: Thresholds): number => thresholds[OWNED[row] as Owned];

/** What is compared, integers: %, mV, tenths of a degree; undefined: unknown. */
export function ownedValue(row: number, pack: Pack): number | undefined {
  if (row === SOC) return pack.telemetry.contradicts ? undefined : current(charge, pack);
  if (row === SPREAD) return current(cellDelta, pack);
  const span = current(temperatureSpan, pack);
  return span === undefined ? undefined : highestOf(span);
}

/** Whether it is beyond the threshold; undefined: unknown, or not yet back within it by a tenth. */
export function isBeyond(row: number, pack: Pack, thresholds: Thresholds): boolean | undefined {
  if (row === SILENCE) return !pack.online;
  const value = ownedValue(row, pack);
  if (value === undefined) return undefined;
  const limit = thresholdOf(row, thresholds) * (row === TEMPERATURE ? 10 : 1);
  const excess = row === SOC ? limit - value : value - limit;
  if (excess > 0) return limit > 0;
  return excess * 10 <= -limit ? false : undefined;
}

/** Of two packs', the worse. */
export const isWorse = (row: number, value: number, other: number): boolean =>
  row === SOC ? value < other : value > other;
