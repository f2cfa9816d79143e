/**
 * Layout of the three blocks (docs/jk-modbus.md, "Settings", "Telemetry", "Device info"). One table for both read modes: a register address
 * is the block's base plus a byte offset; in the block's frame the field is at the same offset after the six header bytes.
 */
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockImage, type BlockType } from "./types";

/** DataView method that reads a type of number: on XS a look-up by method name is faster than a branch on the type. */
export type Getter = "getUint8" | "getInt8" | "getUint16" | "getInt16" | "getUint32" | "getInt32" | "getFloat32";

/**
 * A field of a block in 31 bits, since an object for each would take 10 KB of flash:
 *
 *     0 register of its first byte (16)  16 type (3)  19 scale of a number (4), or bytes of a text (5)
 */
export type Field = number;

const REGISTER = 0xffff;
const OFFSET = 0x1ff;
const TYPE = 16;
const TYPES = 7;
const MORE = 19;

export const U8 = 0 << TYPE;
export const I8 = 1 << TYPE;
export const U16 = 2 << TYPE;
export const I16 = 3 << TYPE;
export const U32 = 4 << TYPE;
export const I32 = 5 << TYPE;
export const F32 = 6 << TYPE;
const TEXT = 7 << TYPE;
const TEXT_TYPE = 7;

/** Texts by their bytes. */
export const TEXT_8 = TEXT | (8 << MORE);
export const TEXT_15 = TEXT | (15 << MORE);
export const TEXT_16 = TEXT | (16 << MORE);

/** Scales; without one a number has no unit and no decimals. */
export const MILLIVOLTS = 1 << MORE;
export const MILLIAMPERES = 2 << MORE;
export const MILLIAMPERE_HOURS = 3 << MORE;
export const MILLIWATTS = 4 << MORE;
export const TENTHS_OF_DEGREE = 5 << MORE;
export const SECONDS = 6 << MORE;
export const HOURS = 7 << MORE;
export const MICROSECONDS = 8 << MORE;
export const DEGREES = 9 << MORE;
export const TENTHS_OF_SECOND = 10 << MORE;
export const CELLS = 11 << MORE;
export const PERCENT = 12 << MORE;
export const TENTHS_OF_HOUR = 13 << MORE;
export const MINUTES = 14 << MORE;

/** By type; none for a text. */
const GETTERS: readonly Getter[] = Object.freeze(
  ["getUint8", "getInt8", "getUint16", "getInt16", "getUint32", "getInt32", "getFloat32"],
  true,
);
const DECIMALS: readonly number[] = Object.freeze([0, 3, 3, 3, 3, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0], true);

const UNITS: readonly string[] = Object.freeze(
  ["", "V", "A", "Ah", "W", "°C", "s", "h", "µs", "°C", "s", "", "%", "h", "min"],
  true,
);

const typeOf = (field: Field): number => (field >> TYPE) & TYPES;
const isText = (field: Field): boolean => typeOf(field) === TEXT_TYPE;
const scaleOf = (field: Field): number => (isText(field) ? 0 : (field >> MORE) & 15);

/** Undefined for a text. */
export const getterOf = (field: Field): Getter | undefined => GETTERS[typeOf(field)];

/** A number's value in its unit is raw / 10 ** decimals. */
export const decimalsOf = (field: Field): number => DECIMALS[scaleOf(field)] as number;

/** For documents: "V", "µs"; empty: none. */
export const unitOf = (field: Field): string => UNITS[scaleOf(field)] as string;

/** Bytes: of a type of number 1, 1, 2, 2, 4, 4, 4. */
export const lengthOf = (field: Field): number =>
  isText(field) ? field >> MORE : Math.min(1 << (typeOf(field) >> 1), 4);

/** Register of the first byte of each block. */
export const BLOCK_BASE = Object.freeze({ [SETUP]: 0x1000, [TELEMETRY]: 0x1200, [DEVICE_INFO]: 0x1400 } as const, true);

/** Of a field, or of a register: the blocks begin every 512 registers. */
export const blockOf = (field: Field): BlockType => (((field >> 9) & 3) + SETUP) as BlockType;

/** Byte offset in the block. The even offset of a word is its high byte. */
export const offsetOf = (field: Field): number => field & OFFSET;

/** The register of a field's first byte, as in the protocol. */
export const registerOf = (field: Field): number => field & REGISTER;

/** A question mark replaces each byte of a text that is not printable ASCII. */
const UNPRINTABLE = 0x3f;

/** The text at byte `at`, at most `length` bytes, up to a NUL; bytes that are not printable ASCII become `?`. */
export function textAt(view: DataView, at: number, length: number): string {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length);
  const nul = bytes.indexOf(0);
  const end = nul < 0 ? length : nul;
  const codes = new Array<number>(end);
  let code = 0;
  for (let index = 0; index < end; index++) {
    code = bytes[index] as number;
    codes[index] = code >= 0x20 && code < 0x7f ? code : UNPRINTABLE;
  }
  return String.fromCharCode.apply(undefined, codes);
}

/** A field's number as the BMS sent it, in units of its scale. Throws a TypeError for a text field: it has no getter. */
export function readRaw(image: BlockImage, field: Field): number {
  // As getterOf and offsetOf do: a poll reads dozens, each call takes XS some 25 units, and a pattern twice what two accesses take.
  return image.view[GETTERS[(field >> TYPE) & TYPES] as Getter](field & OFFSET, image.littleEndian);
}

/** A text field. */
export function readText(image: BlockImage, field: Field): string {
  return textAt(image.view, offsetOf(field), lengthOf(field));
}
