/** The limits of a pack as a file, to be kept, compared, and given to this or another pack. */
import type { Config, Status } from "./documents";
import { localDate } from "./format";
import { bounds } from "./judge";
import type { Targets } from "./preset-steps";
import { PARAMETERS, type ParameterName } from "./tables";

const KIND = "jk-bms limits";
/** They belong to this pack, not to how it is protected. */
const LEFT_OUT: readonly ParameterName[] = ["cell_count", "capacity_ah", "bluetooth_name"];
const LIMITS = PARAMETERS.filter(({ name }) => !LEFT_OUT.includes(name));

export interface LimitsFile {
  readonly kind: typeof KIND;
  /** By the browser, "2026-11-26". */
  readonly date: string;
  readonly serialNumber: string | null;
  readonly batteryType: string | null;
  readonly cellCount: number;
  readonly limits: Targets;
}

export function limitsOf(status: Pick<Status, "batteryType" | "info">, config: Config): LimitsFile {
  return {
    kind: KIND,
    date: localDate(Date.now() / 1_000),
    serialNumber: status.info.serialNumber,
    batteryType: status.batteryType,
    cellCount: Number(config.battery["cellCount"]),
    limits: Object.fromEntries(LIMITS.map(({ name, object, member }) => [name, Number(config[object][member])])),
  };
}

/** Undefined: it is no such file, or has a limit that a BMS does not take. Limits that are not known here are left out. */
export function readLimits(text: string): LimitsFile | undefined {
  let file: Partial<LimitsFile> | null;
  try {
    file = JSON.parse(text) as typeof file;
  } catch {
    return undefined;
  }
  const { limits } = file ?? {};
  if (file?.kind !== KIND || typeof limits !== "object" || limits === null) return undefined;
  const known = LIMITS.filter(({ name }) => name in limits);
  const isGood = known.every((row) => {
    const value: unknown = limits[row.name];
    const [low, high] = bounds(row);
    return typeof value === "number" && value >= low && value <= high && Number(value.toFixed(row.decimals)) === value;
  });
  if (!isGood || !known.length) return undefined;
  return {
    ...{ kind: KIND, date: String(file.date), cellCount: Number(file.cellCount) },
    serialNumber: typeof file.serialNumber === "string" ? file.serialNumber : null,
    batteryType: typeof file.batteryType === "string" ? file.batteryType : null,
    limits: Object.fromEntries(known.map(({ name }) => [name, limits[name]])),
  };
}

/** Whether the limits of one suit the other: as many cells of the same kind. If that is not known, it is the same pack or does not. */
export const suits = (one: LimitsFile, other: LimitsFile): boolean =>
  one.cellCount === other.cellCount &&
  one.batteryType === other.batteryType &&
  (one.batteryType ?? one.serialNumber) !== null &&
  (one.batteryType !== null || one.serialNumber === other.serialNumber);
