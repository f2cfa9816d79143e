/** DNS messages (RFC 1035 section 4) as bytes: nothing of them is made into text. */

export const HEADER_BYTES = 12;
/** RFC 1035 section 2.3.4: of a name on the wire, lengths and the final zero included. */
export const MAX_NAME_BYTES = 255;

export const TYPE = Object.freeze({ A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33, ANY: 255 } as const, true);
export const CLASS_IN = 1;
/** Of a question's class in mDNS: the answer may be sent to the asker alone. Of a record's: it takes the place of all others. */
export const TOP_BIT = 0x8000;

const POINTER = 0xc0;
const MAX_POINTERS = 16;

export const word = (bytes: Uint8Array, at: number): number => ((bytes[at] as number) << 8) | (bytes[at + 1] as number);

/** Where the name at `at` ends, or -1 when it is malformed. */
export function endOfName(bytes: Uint8Array, at: number): number {
  const limit = Math.min(bytes.length, at + MAX_NAME_BYTES);
  while (at < limit) {
    const length = bytes[at] as number;
    if (length === 0) return at + 1;
    if ((length & POINTER) === POINTER) return at + 2 <= bytes.length ? at + 2 : -1;
    if (length & POINTER) return -1;
    at += 1 + length;
  }
  return -1;
}

/** Byte `n` of the name that is `label`, unless that is empty, before `name`. */
function byteOf(name: Uint8Array, label: string, n: number): number | undefined {
  if (!label) return name[n];
  if (n === 0) return label.length;
  return n <= label.length ? label.charCodeAt(n - 1) : name[n - label.length - 1];
}

/** Bytes of the name that is `label` (ASCII, at most 63 characters), unless that is empty, before `name`. */
export const lengthOf = (name: Uint8Array, label = ""): number => name.length + (label ? label.length + 1 : 0);

/**
 * Whether the name at `at`, which may be compressed, is `name`, or with a `label` that before it. Upper and lower case of ASCII are the
 * same.
 */
export function isName(bytes: Uint8Array, at: number, name: Uint8Array, label = ""): boolean {
  let pointers = 0;
  for (let nameAt = 0, end = lengthOf(name, label); nameAt < end;) {
    const length = bytes[at];
    if (length === undefined) return false;
    if ((length & POINTER) === POINTER) {
      if (at + 1 >= bytes.length || ++pointers > MAX_POINTERS) return false;
      at = word(bytes, at) & 0x3fff;
      continue;
    }
    if (length !== byteOf(name, label, nameAt) || at + length >= bytes.length) return false;
    for (let last = at + length; at <= last; at++, nameAt++)
      if (lower(bytes[at] as number) !== lower(byteOf(name, label, nameAt) as number)) return false;
  }
  return true;
}

const lower = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);

/** A name on the wire from ASCII labels of at most 63 characters each. */
export function nameOf(...labels: readonly string[]): Uint8Array {
  const name = new Uint8Array(labels.reduce((length, label) => length + label.length + 1, 1));
  let at = 0;
  for (const label of labels) {
    name[at++] = label.length;
    for (let n = 0; n < label.length; n++) name[at++] = label.charCodeAt(n);
  }
  return name;
}

/** Writes a message into a buffer that is large enough for all that is ever written. */
export class MessageWriter {
  private readonly _bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this._bytes = bytes;
  }

  get message(): Uint8Array {
    return this._bytes.subarray(0, this.at);
  }

  header(id: number, flags: number, questions = 0): void {
    this.at = 0;
    for (const value of [id, flags, questions, 0, 0, 0]) this.word(value);
  }

  /** Another record in a section: 0 answers, 1 authority, 2 additional. */
  count(section: 0 | 1 | 2): void {
    this._bytes[7 + 2 * section] = (this._bytes[7 + 2 * section] as number) + 1;
  }

  word(value: number): void {
    this._bytes[this.at++] = value >> 8;
    this._bytes[this.at++] = value;
  }

  bytes(bytes: Uint8Array): void {
    this._bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** `name`, with a `label` that before it. */
  name(name: Uint8Array, label = ""): void {
    if (label) this._bytes[this.at++] = label.length;
    for (let n = 0; n < label.length; n++) this._bytes[this.at++] = label.charCodeAt(n);
    this.bytes(name);
  }

  /** What follows the name of a record: the header of `length` bytes of data. */
  record(type: number, recordClass: number, ttl: number, length: number): void {
    this.word(type);
    this.word(recordClass);
    this.word(ttl >>> 16);
    this.word(ttl & 0xffff);
    this.word(length);
  }

  /** The four bytes of a dotted IPv4 address. */
  address(ip: string): void {
    for (const part of ip.split(".", 4)) this._bytes[this.at++] = Number(part);
  }
}
