import { MAX_IDENTIFIER } from "./limits";

export const INTEGER = 0x02;
export const BOOLEAN = 0x01;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;
export const OBJECT_IDENTIFIER = 0x06;
export const UTC_TIME = 0x17;
export const GENERALIZED_TIME = 0x18;
export const SEQUENCE = 0x30;
/** Context-specific, constructed. */
export const CONTEXT = 0xa0;

const LONG = 0x80;
/** Bytes of a length: nothing here is longer than 65,535 bytes. */
const MAX_LENGTH_BYTES = 2;

/** Not DER, or not what should be there. */
export class Malformed extends Error {}

/** Reads the elements of DER (ITU-T X.690) one after the other. Nothing outside of the bytes it was given is ever looked at. */
export class Der {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get atEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** The next element is one of `tag`. */
  is(tag: number): boolean {
    return this.bytes[this.at] === tag;
  }

  /** The content of the next element, which must be one of `tag`. A view. */
  read(tag: number): Uint8Array {
    if (!this.is(tag)) throw new Malformed();
    return this.next(false);
  }

  /** The next element, whatever it is, with its tag and length. A view. */
  element(): Uint8Array {
    return this.next(true);
  }

  /** An object identifier, hexadecimal digits. */
  identifier(): string {
    const content = this.read(OBJECT_IDENTIFIER);
    if (content.length > MAX_IDENTIFIER) throw new Malformed();
    return hex(content);
  }

  /** Nothing may follow. */
  end(): void {
    if (!this.atEnd) throw new Malformed();
  }

  private next(whole: boolean): Uint8Array {
    const bytes = this.bytes;
    const begin = this.at;
    let at = begin + 1;
    let length = bytes[at++] ?? Infinity;
    if (length >= LONG) {
      let count = length - LONG;
      if (count > MAX_LENGTH_BYTES) throw new Malformed();
      for (length = 0; count; count--) length = length * 256 + (bytes[at++] ?? Infinity);
      if (length < LONG) throw new Malformed();
    }
    const end = at + length;
    if (end > bytes.length) throw new Malformed();
    this.at = end;
    return bytes.subarray(whole ? begin : at, end);
  }
}

/** The content of an INTEGER that is above zero, without the zero in front. */
export function positive(content: Uint8Array): Uint8Array {
  const [first = 0, second = 0] = content;
  if (first & 0x80) throw new Malformed();
  if (first) return content;
  if (!(second & 0x80)) throw new Malformed();
  return content.subarray(1);
}

/** The content of a BIT STRING of whole bytes. */
export function bytesOf(bits: Uint8Array): Uint8Array {
  if (bits[0] !== 0) throw new Malformed();
  return bits.subarray(1);
}

const DIGITS = "0123456789abcdef";

/** As hexadecimal digits, to compare short ones. */
export function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += (DIGITS[byte >> 4] as string) + (DIGITS[byte & 15] as string);
  return text;
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
