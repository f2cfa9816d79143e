/**
 * Layout of the three blocks (docs/jk-modbus.md, "Settings", "Telemetry", "Device info"). One table for both read modes: a register address
 * is the block's base plus a byte offset; in the block's frame the field is at the same offset after the six header bytes.
 */
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockImage, type BlockType } from "./types";

/** DataView method that reads a type of number: on XS a look-up by method name is faster than a branch on the type. */
export type Getter = "getUint8" | "getInt8" | "getUint16" | "getInt16" | "getUint32" | "getInt32" | "getFloat32";

/** Unit of a raw number: the value in `unit` is raw / 10 ** decimals. */
export interface Scale {
  readonly decimals: number;
  readonly unit: string;
}

export interface Field {
  readonly block: BlockType;
  /** Byte offset in the block. The even offset of a word is its high byte. */
  readonly offset: number;
  /** Undefined for a text. */
  readonly getter: Getter | undefined;
  readonly scale: Scale;
  /** Bytes. */
  readonly length: number;
}

/** Register of the first byte of each block. */
export const BLOCK_BASE = Object.freeze({ [SETUP]: 0x1000, [TELEMETRY]: 0x1200, [DEVICE_INFO]: 0x1400 } as const, true);

export function blockOf(register: number): BlockType {
  if (register < BLOCK_BASE[TELEMETRY]) return SETUP;
  return register < BLOCK_BASE[DEVICE_INFO] ? TELEMETRY : DEVICE_INFO;
}

/** The register of a field's first byte, as in the protocol. */
export const registerOf = ({ block, offset }: Field): number => BLOCK_BASE[block] + offset;

/** A question mark replaces each byte of a text that is not printable ASCII. */
export const UNPRINTABLE = 0x3f;

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

/** A field's number as the BMS sent it, in units of `field.scale`. Throws a TypeError for a text field. */
export function readRaw(image: BlockImage, field: Field): number {
  const { getter } = field;
  if (!getter) throw new TypeError("a text is not a number");
  return image.view[getter](field.offset, image.littleEndian);
}

/** A text field. */
export function readText(image: BlockImage, field: Field): string {
  return textAt(image.view, field.offset, field.length);
}
