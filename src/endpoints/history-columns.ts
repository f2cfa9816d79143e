/** What a record of the history shows, by series: the columns of GET /api/history. */
import * as layout from "../history/layout";

/**
 * A number of a record: `(stored - zero) * factor / 10 ** decimals`, of the bits in `mask`. Stored as all ones, it is unknown. All of that in
 * 31 bits, since an object for each column would take 9 KB of flash.
 */
export type Column = number;

/** As a column is written down. */
interface Shape {
  readonly bytes?: number;
  readonly zero?: number;
  readonly factor?: number;
  readonly decimals?: number;
  /** 0: all bits. */
  readonly mask?: number;
  readonly shift?: number;
  readonly isBoolean?: boolean;
  /** A number for each of CELLS_EACH cells. */
  readonly isRow?: boolean;
}

export interface Series {
  readonly name: string;
  readonly ring: number;
  /** Its records are of a pack each. */
  readonly hasPacks: boolean;
  readonly keys: readonly string[];
  readonly columns: readonly Column[];
}

const ZEROS: readonly number[] = Object.freeze(
  [0, -1, layout.ZERO_DEGREES, layout.ZERO_DISTANCE, layout.ZERO_WORD],
  true,
);

const column = (
  name: string,
  at: number,
  { bytes = 1, zero = 0, factor = 1, decimals = 0, mask = 0, shift = 0, isBoolean = false, isRow = false }: Shape = {},
): readonly [string, Column] => [
  name,
  at |
    (bytes << 7) |
    (decimals << 10) |
    (factor << 12) |
    (shift << 16) |
    (Number(isBoolean) << 19) |
    (Number(isRow) << 20) |
    (mask << 21) |
    (ZEROS.indexOf(zero) << 28),
];

const series = (
  name: string,
  ring: number,
  hasPacks: boolean,
  columns: readonly (readonly [string, Column])[],
): Series => ({
  name,
  ring,
  hasPacks,
  keys: columns.map(([key]) => key),
  columns: columns.map(([, packed]) => packed),
});

export const decimalsOf = (packed: Column): number => (packed >> 10) & 3;
export const isBoolean = (packed: Column): boolean => (packed & (1 << 19)) !== 0;
/** Numbers in a row, one for each cell; 0: it is one number. */
export const countOf = (packed: Column): number => (packed & (1 << 20) ? layout.CELLS_EACH : 0);

const MILLI = 3;
const CENTI = 2;
const DECI = 1;
const WATTS = Object.freeze({ bytes: 2, zero: layout.ZERO_WORD, factor: layout.POWER_MILLIWATTS / 1_000 }, true);
const CELL = Object.freeze({ bytes: 2, decimals: MILLI }, true);
const SPREAD = Object.freeze({ factor: layout.SPREAD_MILLIVOLTS, decimals: MILLI }, true);
const DEGREES = Object.freeze({ zero: layout.ZERO_DEGREES }, true);
const VOLTS = Object.freeze({ bytes: 2, decimals: CENTI }, true);
const LOWER = layout.UNKNOWN_PACK;

export const SERIES: readonly Series[] = Object.freeze(
  [
    series("fine", layout.FINE, false, [
      column("soc", layout.FINE_CHARGE),
      column("voltage", layout.FINE_VOLTAGE, VOLTS),
      column("power", layout.FINE_MEAN, WATTS),
      column("minPower", layout.FINE_LEAST, WATTS),
      column("maxPower", layout.FINE_MOST, WATTS),
      column("minCellVoltage", layout.FINE_LOWEST, CELL),
      column("minCell", layout.FINE_CELL),
      column("delta", layout.FINE_SPREAD, SPREAD),
      column("minTemperature", layout.FINE_COOLEST, DEGREES),
      column("maxTemperature", layout.FINE_WARMEST, DEGREES),
      column("minutes", layout.FINE_STATE, { mask: layout.MINUTES }),
      column("alarm", layout.FINE_STATE, { mask: layout.HAD_ALARM, isBoolean: true }),
      column("packMissing", layout.FINE_STATE, { mask: layout.INCOMPLETE, isBoolean: true }),
      column("relay", layout.FINE_STATE, { mask: layout.RELAY_ON, isBoolean: true }),
    ]),
    series("hours", layout.HOURS, true, [
      column("pack", layout.HOUR_PACK),
      column("soc", layout.HOUR_CHARGE),
      column("voltage", layout.HOUR_VOLTAGE, VOLTS),
      column("current", layout.HOUR_CURRENT, { bytes: 2, zero: layout.ZERO_WORD, decimals: DECI }),
      column("delta", layout.HOUR_SPREAD, CELL),
      column("maxTemperature", layout.HOUR_WARMEST, DEGREES),
      column("minutes", layout.HOUR_STATE, { mask: layout.HOUR_ALARM - 1 }),
      column("alarm", layout.HOUR_STATE, { mask: layout.HOUR_ALARM, isBoolean: true }),
    ]),
    series("days", layout.DAYS, false, [
      column("charged", layout.DAY_CHARGED, { bytes: 3 }),
      column("discharged", layout.DAY_DISCHARGED, { bytes: 3 }),
      column("minSoc", layout.DAY_LEAST_CHARGE),
      column("maxSoc", layout.DAY_MOST_CHARGE),
      column("minCellVoltage", layout.DAY_LOWEST, CELL),
      column("minCell", layout.DAY_LOWEST_CELL),
      column("minCellPack", layout.DAY_PACKS, { shift: 4 }),
      column("maxCellVoltage", layout.DAY_HIGHEST, CELL),
      column("maxCell", layout.DAY_HIGHEST_CELL),
      column("maxCellPack", layout.DAY_PACKS, { mask: LOWER }),
      column("deltaAtRest", layout.DAY_REST_SPREAD, SPREAD),
      column("deltaUnderLoad", layout.DAY_LOAD_SPREAD, SPREAD),
      column("minTemperature", layout.DAY_COOLEST, DEGREES),
      column("maxTemperature", layout.DAY_WARMEST, DEGREES),
      column("alarms", layout.DAY_ALARMS, { bytes: 4 }),
      column("cycles", layout.DAY_CYCLES, { bytes: 2 }),
      column("tenMinutes", layout.DAY_COVERED),
    ]),
    series("cells", layout.CELLS, true, [
      column("pack", layout.CELLS_PACK),
      column("firstCell", layout.CELLS_FIRST, { zero: -1 }),
      column("meanAtRest", layout.CELLS_REST, CELL),
      column("meanFull", layout.CELLS_FULL, CELL),
      column("atRest", layout.CELLS_REST_EACH, {
        zero: layout.ZERO_DISTANCE,
        decimals: MILLI,
        isRow: true,
      }),
      column("full", layout.CELLS_FULL_EACH, {
        zero: layout.ZERO_DISTANCE,
        decimals: MILLI,
        isRow: true,
      }),
      column("wires", layout.CELLS_WIRE_EACH, { decimals: MILLI, isRow: true }),
      column("cycles", layout.CELLS_CYCLES, { bytes: 2 }),
      column("capacityAh", layout.CELLS_CAPACITY, { bytes: 2, decimals: DECI }),
    ]),
  ],
  true,
);

/** The number to show with the column's decimals; undefined: unknown. */
export function valueOf(record: Uint8Array, packed: Column, index = 0): number | undefined {
  const bytes = (packed >> 7) & 7;
  const at = (packed & 0x7f) + index * bytes;
  let stored = 0;
  let ones = 1;
  for (let byte = 0; byte < bytes; byte++) {
    stored = stored * 0x100 + (record[at + byte] as number);
    ones *= 0x100;
  }
  if (stored === ones - 1) return undefined;
  const mask = (packed >> 21) & 0x7f;
  const shift = (packed >> 16) & 7;
  if (mask) stored &= mask;
  if (shift) stored >>= shift;
  // Minutes are no more than ten.
  if (stored === layout.UNKNOWN_PACK && (shift || mask === LOWER)) return undefined;
  return (stored - (ZEROS[(packed >> 28) & 7] as number)) * ((packed >> 12) & 0x0f);
}
