/** The rings of the partition "history" (docs/history.md). What their records have: records.ts. */
import { FINE_SECONDS } from "./limits";
import { RECORDS } from "./records";

/** Name of the partition. */
export const PARTITION = "history";
/** Its first sector is boards/esp32/store.c's, which notes there what became of a broken store. The rings have the rest. */
export const FIRST_SECTOR = 1;
/** Sectors of the rings where flash has 4 MB. */
export const SECTORS = 31;
/** So many times as many where flash has more. */
const TIMES = 10;

/** @param sectors of the partition. @returns by what the sectors of each ring are multiplied */
export const timesIn = (sectors: number): number => (sectors < FIRST_SECTOR + TIMES * SECTORS ? 1 : TIMES);

/** They follow one another from FIRST_SECTOR on. */
export interface RingShape {
  readonly sectors: number;
  /** What a record is of, s; undefined: no time of its own. */
  readonly seconds?: number;
  /** Bytes of a record, 6 of which are the ring's own. */
  readonly record: number;
  /** Ring in the upper half, version of its record in the lower: another version counts as empty. */
  readonly kind: number;
}

/** Indices of RINGS and RECORDS. */
export const FINE = 0;
export const HOURS = 1;
export const DAYS = 2;
export const CELLS = 3;
/** Index of RINGS. Its records are those of events/record-bytes.ts. */
export const EVENTS = 4;

const bytesOf = (ring: number): number => RECORDS[ring]?.bytes ?? 0;

/** As where flash has 4 MB. */
export const RINGS: readonly RingShape[] = Object.freeze(
  [
    { sectors: 10, seconds: FINE_SECONDS, record: bytesOf(FINE), kind: 0x11 },
    { sectors: 5, seconds: 3_600, record: bytesOf(HOURS), kind: 0x21 },
    { sectors: 8, seconds: 86_400, record: bytesOf(DAYS), kind: 0x31 },
    { sectors: 4, record: bytesOf(CELLS), kind: 0x41 },
    { sectors: 4, record: 80, kind: 0x51 },
  ],
  true,
);
