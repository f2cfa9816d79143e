/** What a record of the history shows, by series: the columns of GET /api/history. */
import { jsonName, type Name } from "json/writer";
import * as layout from "../history/layout";

/** A number of a record: `(stored - zero) * factor / 10 ** decimals`, of the bits in `mask`. Stored as all ones, it is unknown. */
export interface Column {
  readonly name: string;
  readonly key: Name;
  readonly at: number;
  readonly bytes: number;
  readonly zero: number;
  readonly factor: number;
  readonly decimals: number;
  /** 0: all bits. */
  readonly mask: number;
  readonly shift: number;
  readonly isBoolean: boolean;
  /** Numbers in a row, one for each cell; 0: it is one number. */
  readonly count: number;
}

export interface Series {
  readonly name: string;
  readonly ring: number;
  /** Its records are of a pack each. */
  readonly hasPacks: boolean;
  readonly columns: readonly Column[];
}

const column = (name: string, at: number, more: Partial<Column> = {}): Column =>
  Object.freeze({
    name,
    key: jsonName(name),
    at,
    bytes: 1,
    zero: 0,
    factor: 1,
    decimals: 0,
    mask: 0,
    shift: 0,
    isBoolean: false,
    count: 0,
    ...more,
  });

const MILLI = 3;
const CENTI = 2;
const DECI = 1;
const WATTS = Object.freeze({ bytes: 2, zero: layout.ZERO_WORD, factor: layout.POWER_MILLIWATTS / 1_000 }, true);
const CELL = Object.freeze({ bytes: 2, decimals: MILLI }, true);
const SPREAD = Object.freeze({ factor: layout.SPREAD_MILLIVOLTS, decimals: MILLI }, true);
const DEGREES = Object.freeze({ zero: layout.ZERO_DEGREES }, true);
const VOLTS = Object.freeze({ bytes: 2, decimals: CENTI }, true);
const LOWER = 0x0f;

export const SERIES: readonly Series[] = Object.freeze(
  [
    {
      name: "fine",
      ring: layout.FINE,
      hasPacks: false,
      columns: [
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
      ],
    },
    {
      name: "hours",
      ring: layout.HOURS,
      hasPacks: true,
      columns: [
        column("pack", layout.HOUR_PACK),
        column("soc", layout.HOUR_CHARGE),
        column("voltage", layout.HOUR_VOLTAGE, VOLTS),
        column("current", layout.HOUR_CURRENT, { bytes: 2, zero: layout.ZERO_WORD, decimals: DECI }),
        column("delta", layout.HOUR_SPREAD, CELL),
        column("maxTemperature", layout.HOUR_WARMEST, DEGREES),
        column("minutes", layout.HOUR_STATE, { mask: layout.HOUR_ALARM - 1 }),
        column("alarm", layout.HOUR_STATE, { mask: layout.HOUR_ALARM, isBoolean: true }),
      ],
    },
    {
      name: "days",
      ring: layout.DAYS,
      hasPacks: false,
      columns: [
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
      ],
    },
    {
      name: "cells",
      ring: layout.CELLS,
      hasPacks: true,
      columns: [
        column("pack", layout.CELLS_PACK),
        column("firstCell", layout.CELLS_FIRST, { zero: -1 }),
        column("meanAtRest", layout.CELLS_REST, CELL),
        column("meanFull", layout.CELLS_FULL, CELL),
        column("atRest", layout.CELLS_REST_EACH, {
          zero: layout.ZERO_DISTANCE,
          decimals: MILLI,
          count: layout.CELLS_EACH,
        }),
        column("full", layout.CELLS_FULL_EACH, {
          zero: layout.ZERO_DISTANCE,
          decimals: MILLI,
          count: layout.CELLS_EACH,
        }),
        column("wires", layout.CELLS_WIRE_EACH, { decimals: MILLI, count: layout.CELLS_EACH }),
        column("cycles", layout.CELLS_CYCLES, { bytes: 2 }),
        column("capacityAh", layout.CELLS_CAPACITY, { bytes: 2, decimals: DECI }),
      ],
    },
  ],
  true,
);

/** The number to show with the column's decimals; undefined: unknown. */
export function valueOf(
  record: Uint8Array,
  { at, bytes, zero, factor, mask, shift }: Column,
  index = 0,
): number | undefined {
  let stored = 0;
  let ones = 1;
  for (let byte = 0; byte < bytes; byte++) {
    stored = stored * 0x100 + (record[at + index * bytes + byte] as number);
    ones *= 0x100;
  }
  if (stored === ones - 1) return undefined;
  if (mask) stored &= mask;
  return ((shift ? stored >> shift : stored) - zero) * factor;
}
