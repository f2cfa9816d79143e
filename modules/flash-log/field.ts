/**
 * The numbers of a record: where each is, how it is stored, and how it takes in a reading. Big-endian; all ones are unknown. One of less than a byte
 * is unknown with its byte, and by itself if it has several bits.
 */
import { BLANK, BLANK_LONG, PAYLOAD } from "./layout";

/**
 * A number of a record, in 31 bits, since an object for each would take 9 KB of flash:
 *
 *     0 first byte (7)  7 bytes but one (2)  9 decimals (2)  11 step (2)  13 lowest bit (3)  16 bits (3)  19 zero (3)  22 rule (2)  24 row
 */
export type Field = number;

const BYTES = 7;
const DECIMALS = 9;
const STEP = 11;
const LOWEST_BIT = 13;
const BITS = 16;
const ZERO = 19;
const RULE = 22;

/** A byte without more. */
export const BYTE = 0;
export const WORD = 1 << BYTES;
export const THREE_BYTES = 2 << BYTES;
export const LONG = 3 << BYTES;
/** Part of a byte: numbers of this kind behind each other share one, the first in the lowest bits. A single bit is a boolean. */
export const ONE_BIT = 1 << BITS;
export const FOUR_BITS = 4 << BITS;
export const SIX_BITS = 6 << BITS;

/** Decimals that are shown. Readings are in thousandths then, otherwise in whole units. */
export const ONE_DECIMAL = 1 << DECIMALS;
export const TWO_DECIMALS = 2 << DECIMALS;
export const THREE_DECIMALS = 3 << DECIMALS;

/** Stored are steps of so many of the units of readings. */
export const STEP_2 = 1 << STEP;
export const STEP_10 = 2 << STEP;
export const STEP_100 = 3 << STEP;

/** What is stored for 0. */
export const PLUS_100 = 1 << ZERO;
export const PLUS_128 = 2 << ZERO;
/** Of a word: with sign. */
export const SIGNED = 3 << ZERO;
/** One less is stored than is shown. */
export const FROM_1 = 4 << ZERO;

/** Of several readings the least, or the greatest, or the bits of any; without one of these, the last. */
export const LEAST = 1 << RULE;
export const MOST = 2 << RULE;
export const ANY = 3 << RULE;

/** ROW_LENGTH numbers behind each other, one a cell. */
export const ROW = 1 << 24;
export const ROW_LENGTH = 16;

const STEPS: readonly number[] = Object.freeze([1, 2, 10, 100]);
const ZEROS: readonly number[] = Object.freeze([0, 100, 128, 0x8000, -1]);
/** By bytes: the greatest that is not unknown. */
const MOST_STORED: readonly number[] = Object.freeze([0xfe, 0xfffe, 0xff_fffe, 0xffff_fffe]);

/** A kind of record. */
export interface RecordTable<Name extends string = string> {
  readonly name: string;
  /** Bytes of a record, time and checks included. */
  readonly bytes: number;
  /** In the order in which they are shown. */
  readonly fields: Readonly<Record<Name, Field>>;
}

/**
 * Gives each field its place, behind the one before.
 * @param last names of those that are behind all others
 */
export function recordOf<Name extends string>(
  name: string,
  kinds: Readonly<Record<Name, Field>>,
  last: readonly NoInfer<Name>[] = [],
): RecordTable<Name> {
  const fields: Record<Name, Field> = { ...kinds };
  let at = PAYLOAD;
  let bit = 0;
  for (const key of [...(Object.keys(kinds) as Name[]).filter((one) => !last.includes(one)), ...last]) {
    const kind = kinds[key];
    const bits = bitsOf(kind);
    if (bit && (!bits || bit + bits > 8)) {
      bit = 0;
      at++;
    }
    fields[key] = kind | at | (bit << LOWEST_BIT);
    if (bits) bit += bits;
    else at += bytesOf(kind) * (countOf(kind) || 1);
  }
  return { name, bytes: at + Number(bit > 0) + 1, fields };
}

export const offsetOf = (field: Field): number => field & 0x7f;
export const bytesOf = (field: Field): number => ((field >> BYTES) & 3) + 1;
/** 0: whole bytes. */
export const bitsOf = (field: Field): number => (field >> BITS) & 7;
export const decimalsOf = (field: Field): number => (field >> DECIMALS) & 3;
export const isBoolean = (field: Field): boolean => bitsOf(field) === 1;
/** Numbers in a row; 0: it is one number. */
export const countOf = (field: Field): number => (field & ROW ? ROW_LENGTH : 0);

/** What is stored of a record that begins at `start`; undefined: unknown. */
export function storedAt(record: Uint8Array, start: number, field: Field, index = 0): number | undefined {
  const bytes = ((field >> BYTES) & 3) + 1;
  let at = start + (field & 0x7f) + index * bytes;
  let stored = record[at] as number;
  let ones = BLANK;
  for (let more = bytes; --more;) {
    stored = stored * 0x100 + (record[++at] as number);
    ones = ones * 0x100 + BLANK;
  }
  if (stored === ones) return undefined;
  const bits = (field >> BITS) & 7;
  if (!bits) return stored;
  ones = (1 << bits) - 1;
  stored = (stored >> ((field >> LOWEST_BIT) & 7)) & ones;
  return stored === ones && bits > 1 ? undefined : stored;
}

/** The number to show with the field's decimals; undefined: unknown. */
export function valueOf(record: Uint8Array, field: Field, index = 0): number | undefined {
  const stored = storedAt(record, 0, field, index);
  if (stored === undefined) return undefined;
  const value = stored - (ZEROS[(field >> ZERO) & 7] as number);
  const decimals = (field >> DECIMALS) & 3;
  // Of thousandths with fewer decimals a step is one of the last.
  return decimals && decimals < 3 ? value : value * (STEPS[(field >> STEP) & 3] as number);
}

/** What is stored for a reading: of one that does not fit, the nearest that does. */
export function storedOf(field: Field, reading: number): number {
  const steps = Math.round(reading / (STEPS[(field >> STEP) & 3] as number) + (ZEROS[(field >> ZERO) & 7] as number));
  const bits = (field >> BITS) & 7;
  // A boolean has no value of its own that is unknown.
  const most = bits ? (1 << bits) - (bits > 1 ? 2 : 1) : (MOST_STORED[(field >> BYTES) & 3] as number);
  return steps < 0 ? 0 : steps > most ? most : steps;
}

/** Writes what is to be stored. */
export function store(record: Uint8Array, start: number, field: Field, stored: number, index = 0): void {
  const bytes = ((field >> BYTES) & 3) + 1;
  const first = start + (field & 0x7f) + index * bytes;
  const bits = (field >> BITS) & 7;
  if (bits) {
    const lowest = (field >> LOWEST_BIT) & 7;
    record[first] = ((record[first] as number) & ~(((1 << bits) - 1) << lowest)) | (stored << lowest);
    return;
  }
  for (let at = first + bytes; --at >= first; stored >>>= 8) record[at] = stored;
}

/** Writes a reading, whatever the rule. */
export function write(record: Uint8Array, start: number, field: Field, reading: number, index = 0): void {
  store(record, start, field, storedOf(field, reading), index);
}

/** Makes it unknown. */
export function forget(record: Uint8Array, start: number, field: Field, index = 0): void {
  const bits = bitsOf(field);
  store(record, start, field, bits ? (1 << bits) - 1 : BLANK_LONG, index);
}

/** Takes in a reading by the field's rule. @returns whether it has changed the field */
export function take(record: Uint8Array, start: number, field: Field, reading: number): boolean {
  return takeStored(record, start, field, storedOf(field, reading));
}

/** The same with what is to be stored. */
export function takeStored(record: Uint8Array, start: number, field: Field, stored: number): boolean {
  const known = storedAt(record, start, field);
  if (known !== undefined) {
    const rule = field & ANY;
    if (rule === LEAST ? stored >= known : rule === MOST && stored <= known) return false;
    if (rule === ANY) {
      stored = (stored | known) >>> 0;
      if (stored === known) return false;
    }
  }
  store(record, start, field, stored);
  return true;
}
