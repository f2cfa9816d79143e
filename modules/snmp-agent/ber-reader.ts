import { MAX_OID_LENGTH } from "./limits";
import type { Oid } from "./oid";
import { INTEGER, OBJECT_IDENTIFIER, OCTET_STRING } from "./tags";

const NOTHING = new Uint8Array(0);
const LONG_LENGTH = 0x80;
const HIGH_TAG = 0x1f;
const MAX_INTEGER_BYTES = 4;
const LARGEST_BEFORE_SHIFT = 0x1ff_ffff;

/**
 * Reads BER with definite lengths (RFC 3417, section 8) from a packet. An error sets `failed`, and all further reads return nothing, so
 * `failed` need only be checked once, at the end. Allocates nothing and never throws.
 */
export class BerReader {
  private bytes: Uint8Array = NOTHING;
  private end = 0;
  failed = false;
  /** Position of the next byte. */
  at = 0;
  /** Start and end of the content last read by `octets` or `oid`. */
  start = 0;
  stop = 0;

  /** Starts reading `bytes` from `at` to `end`. */
  begin(bytes: Uint8Array, at = 0, end: number = bytes.length): void {
    this.bytes = bytes;
    this.end = end;
    this.failed = false;
    this.at = at;
  }

  /** Extends the readable range to `end`. */
  extend(end: number): void {
    this.end = end;
  }

  /** Releases the packet. */
  release(): void {
    this.begin(NOTHING);
  }

  /** There is more content in the element entered last. */
  get more(): boolean {
    return !this.failed && this.at < this.end;
  }

  /** The next tag; 0 if there is none. */
  get tag(): number {
    return this.more ? (this.bytes[this.at] as number) : 0;
  }

  /** Enters an element with the tag `tag`. Returns the argument for `leave`. */
  enter(tag: number): number {
    const outer = this.end;
    const length = this.header(tag);
    if (!this.failed) this.end = this.at + length;
    return outer;
  }

  /** Leaves an element, which must have been read to its end. */
  leave(outer: number): void {
    if (this.at !== this.end) this.failed = true;
    this.end = outer;
  }

  /** An INTEGER of at most 32 bits. */
  integer(): number {
    const length = this.header(INTEGER);
    if (length < 1 || length > MAX_INTEGER_BYTES) this.failed = true;
    if (this.failed) return 0;
    let value = (this.bytes[this.at] as number) & 0x80 ? -1 : 0;
    for (const end = this.at + length; this.at < end; this.at++) value = (value << 8) | (this.bytes[this.at] as number);
    return value;
  }

  /** An OCTET STRING: returns its length; `start` is where it begins. */
  octets(): number {
    const length = this.header(OCTET_STRING);
    this.start = this.at;
    if (this.failed) return 0;
    this.at += length;
    this.stop = this.at;
    return length;
  }

  /** An OBJECT IDENTIFIER of at most MAX_OID_LENGTH sub-identifiers. */
  oid(into: Oid): void {
    into.clear();
    const length = this.header(OBJECT_IDENTIFIER);
    this.start = this.at;
    if (length < 1) this.failed = true;
    if (this.failed) return;
    const end = this.at + length;
    this.stop = end;
    while (this.at < end && !this.failed) {
      const id = this.subIdentifier(end);
      if (into.length) into.append(id);
      else {
        // X.690, section 8.19.4: the first two share one number.
        const first = id < 80 ? Math.floor(id / 40) : 2;
        into.append(first);
        into.append(id - 40 * first);
      }
      if (into.length > MAX_OID_LENGTH) this.failed = true;
    }
  }

  /** Skips the next element. */
  skip(): void {
    const length = this.header(this.tag);
    if (!this.failed) this.at += length;
  }

  /** Reads tag and length; returns the length, which is within the element entered last. */
  private header(tag: number): number {
    if (!this.more || this.bytes[this.at] !== tag || (tag & HIGH_TAG) === HIGH_TAG) return this.fail();
    this.at++;
    if (!this.more) return this.fail();
    let length = this.bytes[this.at++] as number;
    if (length >= LONG_LENGTH) {
      let count = length - LONG_LENGTH;
      // 0 is the indefinite form.
      if (count < 1 || count > 4 || count > this.end - this.at) return this.fail();
      for (length = 0; count; count--) length = length * 256 + (this.bytes[this.at++] as number);
    }
    return length > this.end - this.at ? this.fail() : length;
  }

  private subIdentifier(end: number): number {
    let value = 0;
    // X.690, section 8.19.2: no leading padding.
    if (this.bytes[this.at] === 0x80) return this.fail();
    while (this.at < end) {
      const byte = this.bytes[this.at++] as number;
      if (value > LARGEST_BEFORE_SHIFT) return this.fail();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return this.fail();
  }

  private fail(): number {
    this.failed = true;
    return 0;
  }
}
