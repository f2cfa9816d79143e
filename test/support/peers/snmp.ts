/** SNMP messages from the manager's side: plain BER on arrays, independent of the agent's code. */

export const GET = 0xa0;
export const GET_NEXT = 0xa1;
export const RESPONSE = 0xa2;
export const SET = 0xa3;
export const GET_BULK = 0xa5;
export const TRAP = 0xa7;

export type Bytes = readonly number[];

export function tlv(tag: number, content: Bytes): number[] {
  const { length } = content;
  if (length < 0x80) return [tag, length, ...content];
  return length < 0x100 ? [tag, 0x81, length, ...content] : [tag, 0x82, length >> 8, length & 0xff, ...content];
}

export function integer(value: number): number[] {
  const bytes = [...Buffer.from([value >> 24, value >> 16, value >> 8, value])];
  while (bytes.length > 1 && ((bytes[0] === 0 && bytes[1]! < 0x80) || (bytes[0] === 0xff && bytes[1]! >= 0x80)))
    bytes.shift();
  return tlv(0x02, bytes);
}

export const text = (value: string): number[] => tlv(0x04, [...Buffer.from(value)]);
export const NOTHING = tlv(0x05, []);

function subIdentifier(id: number): number[] {
  const bytes = [id % 128];
  for (let rest = Math.floor(id / 128); rest; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) | 0x80);
  return bytes;
}

export function oid(name: string): number[] {
  const [first = 0, second = 0, ...rest] = name.split(".").map(Number);
  return tlv(0x06, [first * 40 + second, ...rest].flatMap(subIdentifier));
}

export const varbind = (name: string, value: Bytes = NOTHING): number[] => tlv(0x30, [...oid(name), ...value]);

export interface Asked {
  version?: number;
  community?: string;
  pdu?: number;
  id?: number;
  /** GETBULK: non-repeaters. */
  first?: number;
  /** GETBULK: max-repetitions. */
  second?: number;
  /** Replaces the variable bindings made from the names. */
  list?: Bytes;
}

export function request(names: readonly string[], asked: Asked = {}): Uint8Array {
  const { version = 1, community = "public", pdu = GET, id = 1, first = 0, second = 0, list } = asked;
  const bindings = tlv(0x30, list ?? names.flatMap((name) => varbind(name)));
  const body = [...integer(id), ...integer(first), ...integer(second), ...bindings];
  return Uint8Array.from(tlv(0x30, [...integer(version), ...text(community), ...tlv(pdu, body)]));
}

export interface Binding {
  readonly name: string;
  readonly tag: number;
  /** Numbers, OIDs (dotted text) and strings (Latin-1); undefined for NULL and exceptions. */
  readonly value: number | string | undefined;
}

export interface Answer {
  readonly version: number;
  readonly community: string;
  readonly pdu: number;
  readonly id: number;
  readonly status: number;
  readonly index: number;
  readonly bindings: readonly Binding[];
}

class Reader {
  #at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get more(): boolean {
    return this.#at < this.#bytes.length;
  }

  next(): { tag: number; content: Uint8Array } {
    const tag = this.#bytes[this.#at++]!;
    let length = this.#bytes[this.#at++]!;
    if (length >= 0x80) {
      const count = length - 0x80;
      length = 0;
      for (let index = 0; index < count; index++) length = length * 256 + this.#bytes[this.#at++]!;
      if (length < 0x80 || (count > 1 && length < 0x100)) throw new Error("a length in more bytes than it takes");
    }
    if (this.#at + length > this.#bytes.length) throw new Error("the content ends early");
    const content = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return { tag, content };
  }

  inside(tag: number): Reader {
    const inner = this.next();
    if (inner.tag !== tag) throw new Error(`tag ${inner.tag} instead of ${tag}`);
    return new Reader(inner.content);
  }
}

function numberOf(bytes: Uint8Array): number {
  if (bytes.length > 1 && ((bytes[0] === 0 && bytes[1]! < 0x80) || (bytes[0] === 0xff && bytes[1]! >= 0x80)))
    throw new Error("an integer in more bytes than it takes");
  return bytes.reduce((value, byte, at) => value * 256 + (at ? byte : (byte << 24) >> 24), 0);
}

function nameOf(bytes: Uint8Array): string {
  const ids: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (ids.length) ids.push(value);
    else ids.push(Math.min(Math.floor(value / 40), 2), value - 40 * Math.min(Math.floor(value / 40), 2));
    value = 0;
  }
  return ids.join(".");
}

function valueOf(tag: number, content: Uint8Array): Binding["value"] {
  if (tag === 0x06) return nameOf(content);
  if (tag === 0x04) return Buffer.from(content).toString("latin1");
  return content.length ? numberOf(content) : undefined;
}

/** Throws an Error unless it is a valid message with lengths and numbers in minimal encoding. */
export function parse(bytes: Uint8Array): Answer {
  const message = new Reader(bytes);
  const body = message.inside(0x30);
  if (message.more) throw new Error("something follows the message");
  const version = numberOf(body.next().content);
  const community = Buffer.from(body.next().content).toString("latin1");
  const { tag: pdu, content } = body.next();
  const inner = new Reader(content);
  const [id = 0, status = 0, index = 0] = [0, 0, 0].map(() => numberOf(inner.next().content));
  const list = inner.inside(0x30);
  const bindings: Binding[] = [];
  while (list.more) {
    const one = list.inside(0x30);
    const name = nameOf(one.next().content);
    const { tag, content: value } = one.next();
    bindings.push({ name, tag, value: valueOf(tag, value) });
  }
  return { version, community, pdu, id, status, index, bindings };
}
