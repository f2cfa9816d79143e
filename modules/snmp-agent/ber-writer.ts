import { MAX_DISPLAY_STRING } from "./limits";
import { COUNTER32, GAUGE32, INTEGER, NULL, OBJECT_IDENTIFIER, OCTET_STRING, TIME_TICKS } from "./tags";
import type { Arcs, Value } from "./types";

const SHORT_LENGTH = 0x7f;
const LARGEST_32 = 0xffff_ffff;
const QUESTION_MARK = 0x3f;

/**
 * Writes BER into one buffer, with the shortest form of each length. Anything that does not fit sets `overflowed` and is not written; no
 * byte outside the buffer is touched. Allocates nothing.
 */
export class BerWriter implements Value {
  readonly bytes: Uint8Array;
  /** Bytes written. */
  length = 0;
  overflowed = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Removes everything after the first `length` bytes. */
  truncate(length: number): void {
    this.length = length;
    this.overflowed = false;
  }

  /** Opens an element with the tag `tag`. Returns the argument for `close`. */
  open(tag: number): number {
    this.byte(tag);
    this.byte(0);
    return this.length;
  }

  close(start: number): void {
    const length = this.length - start;
    if (this.overflowed) return;
    if (length <= SHORT_LENGTH) {
      this.bytes[start - 1] = length;
      return;
    }
    const more = length < 0x100 ? 1 : 2;
    if (this.length + more > this.bytes.length) {
      this.overflowed = true;
      return;
    }
    this.bytes.copyWithin(start + more, start, this.length);
    this.bytes[start - 1] = 0x80 | more;
    if (more > 1) this.bytes[start] = length >> 8;
    this.bytes[start + more - 1] = length & 0xff;
    this.length += more;
  }

  /** Overwrites the last of the first `length` bytes: a one-byte INTEGER. */
  patch(length: number, value: number): void {
    this.bytes[length - 1] = value;
  }

  byte(value: number): void {
    if (this.length < this.bytes.length) this.bytes[this.length++] = value;
    else this.overflowed = true;
  }

  copy(bytes: Uint8Array, start: number, end: number): void {
    for (let index = start; index < end; index++) this.byte(bytes[index] as number);
  }

  /** A value without content: NULL, or one of the exceptions. */
  nothing(tag: number = NULL): void {
    this.byte(tag);
    this.byte(0);
  }

  /** Writes nothing if `value` exceeds 32 bits; throws a RangeError unless it is an integer. */
  integer(value: number): void {
    if (!Number.isInteger(value)) throw new RangeError("not an INTEGER");
    if ((value | 0) === value) this.number(INTEGER, value);
  }

  truth(value: boolean): void {
    this.number(INTEGER, value ? 1 : 2);
  }

  counter(value: number): void {
    this.unsigned(COUNTER32, value);
  }

  ticks(value: number): void {
    this.unsigned(TIME_TICKS, value);
  }

  gauge(value: number): void {
    this.unsigned(GAUGE32, value > LARGEST_32 ? LARGEST_32 : value);
  }

  text(value: string): void {
    const start = this.open(OCTET_STRING);
    const length = Math.min(value.length, MAX_DISPLAY_STRING);
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      this.byte(code < 0x80 ? code : QUESTION_MARK);
    }
    this.close(start);
  }

  octets(bytes: Uint8Array, at = 0, end: number = bytes.length): void {
    const start = this.open(OCTET_STRING);
    this.copy(bytes, at, end);
    this.close(start);
  }

  identifier(ids: Arcs, object?: number, instance?: number, second?: number): void {
    const start = this.open(OBJECT_IDENTIFIER);
    this.subIdentifier(ids.charCodeAt(0) * 40 + ids.charCodeAt(1));
    for (let index = 2; index < ids.length; index++) this.subIdentifier(ids.charCodeAt(index));
    if (object !== undefined) this.subIdentifier(object);
    if (instance !== undefined) this.subIdentifier(instance);
    if (second !== undefined) this.subIdentifier(second);
    this.close(start);
  }

  /** Throws a RangeError for negative or fractional numbers; those beyond 32 bits wrap, as counters do. */
  private unsigned(tag: number, value: number): void {
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER) || value % 1) throw new RangeError("not an unsigned number");
    const low = value | 0;
    if (low >= 0) return this.number(tag, low);
    this.byte(tag);
    this.byte(5);
    this.byte(0);
    for (let shift = 24; shift >= 0; shift -= 8) this.byte((low >> shift) & 0xff);
  }

  private number(tag: number, value: number): void {
    let shift = 24;
    // Drop the top byte while it only repeats the sign bit of the next one.
    while (shift && value >> (shift - 1) === value >> 31) shift -= 8;
    this.byte(tag);
    this.byte(shift / 8 + 1);
    for (; shift >= 0; shift -= 8) this.byte((value >> shift) & 0xff);
  }

  private subIdentifier(id: number): void {
    for (let scale = 0x1000_0000; scale > 1; scale /= 128)
      if (id >= scale) this.byte(0x80 | (Math.floor(id / scale) & 0x7f));
    this.byte(id & 0x7f);
  }
}
