/** DNS messages (RFC 1035 section 4), processed as bytes without making strings. */

export const HEADER_BYTES = 12;
/** RFC 1035 section 2.3.4: a name on the wire, including length bytes and the final zero. */
export const MAX_NAME_BYTES = 255;

export const TYPE = Object.freeze({ A: 1, PTR: 12, TXT: 16, SRV: 33, ANY: 255 } as const, true);
export const CLASS_IN = 1;
/** In the class of an mDNS question: a unicast answer is accepted (QU). In the class of a record: cache flush. */
export const TOP_BIT = 0x8000;

const POINTER = 0xc0;
const MAX_POINTERS = 16;

export const word = (bytes: Uint8Array, at: number): number => ((bytes[at] as number) << 8) | (bytes[at + 1] as number);

/** End of the name at `at`, or -1 if malformed. */
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

/** Byte `n` of `name` with `label` prepended; no label if empty. */
function byteOf(name: Uint8Array, label: string, n: number): number | undefined {
  if (!label) return name[n];
  if (n === 0) return label.length;
  return n <= label.length ? label.charCodeAt(n - 1) : name[n - label.length - 1];
}

/** Length of `name` with `label` (ASCII, at most 63 characters) prepended; no label if empty. */
export const lengthOf = (name: Uint8Array, label = ""): number => name.length + (label ? label.length + 1 : 0);

/** Whether the name at `at`, which may be compressed, equals `name`, with `label` prepended if given. Ignores ASCII case. */
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

/** Wire-format name from ASCII labels of at most 63 characters each. */
export function nameOf(...labels: readonly string[]): Uint8Array {
  const name = new Uint8Array(labels.reduce((length, label) => length + label.length + 1, 1));
  let at = 0;
  for (const label of labels) {
    name[at++] = label.length;
    for (let n = 0; n < label.length; n++) name[at++] = label.charCodeAt(n);
  }
  return name;
}

/** Writes a message into a buffer, which must be large enough. */
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

  /** Counts one more record in a section: 0 answers, 1 authority, 2 additional. */
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

  /** Writes `name`, with `label` prepended if given. */
  name(name: Uint8Array, label = ""): void {
    if (label) this._bytes[this.at++] = label.length;
    for (let n = 0; n < label.length; n++) this._bytes[this.at++] = label.charCodeAt(n);
    this.bytes(name);
  }

  /** Writes the fields of a record between its name and its `length` bytes of data. */
  record(type: number, recordClass: number, ttl: number, length: number): void {
    this.word(type);
    this.word(recordClass);
    this.word(ttl >>> 16);
    this.word(ttl & 0xffff);
    this.word(length);
  }

  /** Writes a dotted IPv4 address as four bytes. */
  address(ip: string): void {
    for (const part of ip.split(".", 4)) this._bytes[this.at++] = Number(part);
  }
}
