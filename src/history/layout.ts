/**
 * The rings of the partition "history" and the bytes of their records (docs/history.md). Offsets count from the beginning of a record, whose
 * first bytes are its time and a check (modules/flash-log/layout.ts). Numbers are big-endian. A field of ones only is unknown.
 */

import { JOULES_PER_WATT_HOUR } from "../energy/limits";

/** Name of the partition. */
export const PARTITION = "history";
/** Its first sectors are boards/esp32/store.c's: the settings that were set aside, and what stands in for a broken store. The rings have the rest. */
export const FIRST_SECTOR = 17;
/** Sectors of the rings. */
export const SECTORS = 47;

export interface RingShape {
  readonly first: number;
  readonly sectors: number;
  /** Bytes of a record, 6 of which are the ring's own. */
  readonly record: number;
  /** Ring in the upper half, version of its record in the lower: another version counts as empty. */
  readonly kind: number;
}

/** Indices of RINGS. */
export const FINE = 0;
export const HOURS = 1;
export const DAYS = 2;
export const CELLS = 3;
export const EVENTS = 4;

/** Bytes of a record. */
export const FINE_BYTES = 22;
export const HOUR_BYTES = 16;
export const DAY_BYTES = 32;
export const CELLS_BYTES = 64;

export const RINGS: readonly RingShape[] = Object.freeze(
  [
    { first: 17, sectors: 14, record: FINE_BYTES, kind: 0x11 },
    { first: 31, sectors: 8, record: HOUR_BYTES, kind: 0x21 },
    { first: 39, sectors: 14, record: DAY_BYTES, kind: 0x31 },
    { first: 53, sectors: 6, record: CELLS_BYTES, kind: 0x41 },
    { first: 59, sectors: 5, record: 80, kind: 0x51 },
  ],
  true,
);

export const UNKNOWN_BYTE = 0xff;
export const UNKNOWN_WORD = 0xffff;
export const UNKNOWN_LONG = 0xffff_ffff;
const UNKNOWN_ENERGY = 0xff_ffff;
/** Stored for 0 of a number with sign. */
export const ZERO_WORD = 0x8000;
/** Stored for 0 °C. */
export const ZERO_DEGREES = 100;
/** Stored for a cell that has the mean voltage. */
export const ZERO_DISTANCE = 128;

/** Units of stored numbers: voltage of the pack 10 mV, power 10 W, mean current 0.1 A, spread of ten minutes and of a day 2 mV, capacity 0.1 Ah. */
export const VOLTAGE_MILLIVOLTS = 10;
export const POWER_MILLIWATTS = 10_000;
export const CURRENT_MILLIAMPERES = 100;
export const SPREAD_MILLIVOLTS = 2;
export const CAPACITY_MILLIAMPERE_HOURS = 100;

/** Ten minutes of the bank. */
export const FINE_CHARGE = 5;
export const FINE_VOLTAGE = 6;
export const FINE_MEAN = 8;
export const FINE_LEAST = 10;
export const FINE_MOST = 12;
export const FINE_LOWEST = 14;
export const FINE_SPREAD = 16;
export const FINE_COOLEST = 17;
export const FINE_WARMEST = 18;
/** Minutes with replies, 0 to 10, in the lower half; the bits below in the upper. */
export const FINE_STATE = 19;
/** Number of the lowest cell, from 1. */
export const FINE_CELL = 20;

export const MINUTES = 0x0f;
export const HAD_ALARM = 0x10;
/** A pack of the bank was missing. */
export const INCOMPLETE = 0x20;
export const RELAY_ON = 0x40;

/** An hour of a pack. */
export const HOUR_PACK = 5;
export const HOUR_CHARGE = 6;
export const HOUR_VOLTAGE = 7;
export const HOUR_CURRENT = 9;
export const HOUR_SPREAD = 11;
export const HOUR_WARMEST = 13;
/** Minutes with replies, 0 to 60, and HOUR_ALARM. */
export const HOUR_STATE = 14;
export const HOUR_ALARM = 0x40;

/** A day of the bank. Energy: three bytes, Wh. */
export const DAY_CHARGED = 5;
export const DAY_DISCHARGED = 8;
export const DAY_LEAST_CHARGE = 11;
export const DAY_MOST_CHARGE = 12;
export const DAY_LOWEST = 13;
export const DAY_LOWEST_CELL = 15;
export const DAY_HIGHEST = 16;
export const DAY_HIGHEST_CELL = 18;
export const DAY_REST_SPREAD = 19;
export const DAY_LOAD_SPREAD = 20;
export const DAY_COOLEST = 21;
export const DAY_WARMEST = 22;
/** Alarms seen, four bytes: bit n is row n of ALARMS_TABLE. */
export const DAY_ALARMS = 23;
export const DAY_CYCLES = 27;
/** Ten minutes with replies, 0 to 144. */
export const DAY_COVERED = 29;
/** Addresses of the packs with the lowest and, in the lower half, the highest cell. */
export const DAY_PACKS = 30;
/** Half of that byte: unknown. So is a pack at this address. */
export const UNKNOWN_PACK = 0x0f;

/** Cells of a pack, CELLS_EACH in a record. */
export const CELLS_EACH = 16;
export const CELLS_PACK = 5;
/** Cells before the first of the record: 0 or CELLS_EACH. */
export const CELLS_FIRST = 6;
/** Mean of all cells of the pack, mV, at rest and full. */
export const CELLS_REST = 7;
export const CELLS_FULL = 9;
/** Distances of each cell from these, mV, and resistances of their wires, mΩ. */
export const CELLS_REST_EACH = 11;
export const CELLS_FULL_EACH = CELLS_REST_EACH + CELLS_EACH;
export const CELLS_WIRE_EACH = CELLS_FULL_EACH + CELLS_EACH;
export const CELLS_CYCLES = 59;
/** Capacity that the BMS has learned. */
export const CELLS_CAPACITY = 61;

/** Energy in a record of a day, Wh; undefined: unknown. */
export function wattHoursAt(record: Uint8Array, at: number): number | undefined {
  const value = ((record[at] as number) << 16) | ((record[at + 1] as number) << 8) | (record[at + 2] as number);
  return value === UNKNOWN_ENERGY ? undefined : value;
}

/** undefined: unknown. */
export const wattHoursOf = (joules: number): number | undefined =>
  joules >= 0 ? Math.round(joules / JOULES_PER_WATT_HOUR) : undefined;

/** Unknown energy leaves the record as it is. */
export function setEnergy(record: Uint8Array, at: number, joules: number): void {
  const known = wattHoursOf(joules);
  if (known === undefined) return;
  const wattHours = Math.min(UNKNOWN_ENERGY - 1, known);
  for (let byte = 0; byte < 3; byte++) record[at + byte] = wattHours >> (16 - 8 * byte);
}

/** A byte that is not unknown. */
export const toByte = (value: number): number => Math.max(0, Math.min(UNKNOWN_BYTE - 1, Math.round(value)));
/** A word that is not unknown. */
export const toWord = (value: number): number => Math.max(0, Math.min(UNKNOWN_WORD - 1, Math.round(value)));
/** A word with sign. */
export const toSigned = (value: number): number => toWord(value + ZERO_WORD);
