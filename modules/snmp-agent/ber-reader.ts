import { MAX_OID_LENGTH } from "./limits";
import type { Oid } from "./oid";
import { INTEGER, OBJECT_IDENTIFIER, OCTET_STRING } from "./tags";

const NOTHING = new Uint8Array(0);
const LONG_LENGTH = 0x80;
const HIGH_TAG = 0x1f;
const MAX_INTEGER_BYTES = 4;
const LARGEST_BEFORE_SHIFT = 0x1ff_ffff;

/**
 * Reads BER with definite lengths (RFC 3417, section 8) from a packet. What is wrong makes `failed` true and all further reading answer
 * nothing, so that it need be asked once only, at the end. Allocates nothing and never throws.
 */
export class BerReader {
  private bytes: Uint8Array = NOTHING;
  private end = 0;
  private _failed = false;
  /** The byte to be read next. */
  at = 0;
  /** Where the content read last by `octets` or `oid` begins, and what is behind it. */
  start = 0;
  stop = 0;

  /** From now on reads `bytes` from `at` to `end`. */
  begin(bytes: Uint8Array, at = 0, end: number = bytes.length): void {
    this.bytes = bytes;
    this.end = end;
    this._failed = false;
    this.at = at;
  }

  /** There is more to be read: up to `end`. */
  extend(end: number): void {
    this.end = end;
  }

  /** Lets the packet go. */
  release(): void {
    this.begin(NOTHING);
  }

  get failed(): boolean {
    return this._failed;
  }

  /** Something is left of what was entered last. */
  get more(): boolean {
    return !this._failed && this.at < this.end;
  }

  /** The tag to be read next; 0 when there is none. */
  get tag(): number {
    return this.more ? (this.bytes[this.at] as number) : 0;
  }

  /** Enters what has the tag `tag`. Answers what `leave` wants to have. */
  enter(tag: number): number {
    const outer = this.end;
    const length = this.header(tag);
    if (!this._failed) this.end = this.at + length;
    return outer;
  }

  /** Leaves what was entered, all of which must have been read. */
  leave(outer: number): void {
    if (this.at !== this.end) this._failed = true;
    this.end = outer;
  }

  /** An INTEGER of at most 32 bits. */
  integer(): number {
    const length = this.header(INTEGER);
    if (length < 1 || length > MAX_INTEGER_BYTES) this._failed = true;
    if (this._failed) return 0;
    let value = (this.bytes[this.at] as number) & 0x80 ? -1 : 0;
    for (const end = this.at + length; this.at < end; this.at++) value = (value << 8) | (this.bytes[this.at] as number);
    return value;
  }

  /** An OCTET STRING: its length; `start` tells where it begins. */
  octets(): number {
    const length = this.header(OCTET_STRING);
    this.start = this.at;
    if (this._failed) return 0;
    this.at += length;
    this.stop = this.at;
    return length;
  }

  /** An OBJECT IDENTIFIER of at most MAX_OID_LENGTH sub-identifiers. */
  oid(into: Oid): void {
    into.clear();
    const length = this.header(OBJECT_IDENTIFIER);
    this.start = this.at;
    if (length < 1) this._failed = true;
    if (this._failed) return;
    const end = this.at + length;
    this.stop = end;
    while (this.at < end && !this._failed) {
      const id = this.subIdentifier(end);
      if (into.length) into.append(id);
      else {
        // X.690, section 8.19.4: the first two are in one number.
        const first = id < 80 ? Math.floor(id / 40) : 2;
        into.append(first);
        into.append(id - 40 * first);
      }
      if (into.length > MAX_OID_LENGTH) this._failed = true;
    }
  }

  /** Whatever comes next. */
  skip(): void {
    const length = this.header(this.tag);
    if (!this._failed) this.at += length;
  }

  /** Reads tag and length; the length, which is within what was entered. */
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
    // X.690, section 8.19.2: no padding in front.
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
    this._failed = true;
    return 0;
  }
}
