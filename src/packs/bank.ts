/** What several packs in parallel are together. */
import { highestOf, temperatureSpan } from "../catalogue/computed";
import { read } from "../catalogue/read";
import { telemetryRow, type TelemetryRow } from "../catalogue/telemetry";
import type { BusPack } from "./types";

/** What is shown of each pack in short; then what else the bank needs. */
export const ROWS: readonly TelemetryRow[] = Object.freeze(
  "model info.serialNumber soc pack.voltage pack.current pack.power alarmCode cellsSummary.minCell cellsSummary.minVoltage cellsSummary.maxCell cellsSummary.maxVoltage cellsSummary.delta capacityAh remainingCapacityAh"
    .split(" ")
    .map(telemetryRow),
  true,
);
export const SHOWN = 12;
type R = TelemetryRow;
const [, , SOC, VOLTAGE, CURRENT, POWER, , MIN_CELL, MIN_VOLTAGE, MAX_CELL, MAX_VOLTAGE, DELTA, CAPACITY, REMAINING] =
  ROWS as unknown as readonly [R, R, R, R, R, R, R, R, R, R, R, R, R, R];

/** Of the state of charge. */
export const SOC_DECIMALS = 1;

/** Where each value is, the number of packs first; behind an extreme the pack's address, of cells also the number of the cell. */
export const ONLINE = 1;
export const CHARGE = 2;
/** Then what is left of it, voltage, current and power. */
export const AMPERE_HOURS = 3;
export const LOWEST = 8;
export const HIGHEST = 11;
export const WIDEST = 14;
export const HOTTEST = 16;

const known = (row: TelemetryRow, pack: BusPack): number => (read(row, pack) as number | undefined) ?? NaN;

/** Keeps the greatest of a value, or with `sign` -1 the least, of the packs of which it is known, and whose it is. */
function keep(values: number[], at: number, pack: BusPack, row: TelemetryRow, cell?: TelemetryRow, sign = 1): void {
  const value = known(row, pack);
  const best = values[at] as number;
  if (value !== value || sign * value <= sign * best) return;
  values[at] = value;
  values[at + 1] = pack.identity.address;
  if (cell) values[at + 2] = known(cell, pack);
}

/**
 * The values of a bank, in units of their rows: see above. All are of the packs that are online. NaN: unknown, which a sum of something unknown is
 * too. One pack after the other: the blocks of all but the first are unpacked into the same buffers.
 */
export function bankOf(packs: readonly BusPack[]): readonly number[] {
  const values: number[] = [packs.length, 0, 0, 0, 0, 0, 0, 0];
  while (values.length <= HOTTEST + 1) values.push(NaN);
  let online = 0;
  let volts = 0;
  let charge = 0;
  let capacity = 0;
  let remaining = 0;
  let current = 0;
  let power = 0;
  for (const pack of packs) {
    if (!pack.online) continue;
    online++;
    const ampereHours = known(CAPACITY, pack);
    capacity += ampereHours;
    charge += known(SOC, pack) * ampereHours;
    remaining += known(REMAINING, pack);
    current += known(CURRENT, pack);
    power += known(POWER, pack);
    volts += known(VOLTAGE, pack);
    keep(values, LOWEST, pack, MIN_VOLTAGE, MIN_CELL, -1);
    keep(values, HIGHEST, pack, MAX_VOLTAGE, MAX_CELL);
    keep(values, WIDEST, pack, DELTA);
    const span = temperatureSpan(pack);
    if (span === undefined || highestOf(span) <= (values[HOTTEST] as number)) continue;
    values[HOTTEST] = highestOf(span);
    values[HOTTEST + 1] = pack.identity.address;
  }
  values[ONLINE] = online;
  if (!online) return values.fill(NaN, CHARGE, LOWEST);
  values[CHARGE] = Math.round((charge / capacity) * 10 ** SOC_DECIMALS);
  values[AMPERE_HOURS] = capacity;
  values[AMPERE_HOURS + 1] = remaining;
  // In parallel they have one voltage.
  values[AMPERE_HOURS + 2] = Math.round(volts / online);
  values[AMPERE_HOURS + 3] = current;
  values[AMPERE_HOURS + 4] = power;
  return values;
}

/** What needs attention of any of these packs, as bits of CONCERNS; 0: each of them is online and well. */
export function concernsOfAny(packs: readonly { readonly concerns: number }[]): number {
  let bits = 0;
  for (const pack of packs) bits |= pack.concerns;
  return bits;
}
