/**
 * Writes JSON as UTF-8 into a buffer that the caller lends: no string is built and nothing is allocated, whatever the size of the document.
 *
 * Numbers are given as integers with a count of decimals, as a BMS sends them (3216, 3 → 3.216), so what is written is exactly what
 * was measured, without binary noise.
 */
import { writeDecimal } from "./decimal";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

const TRUE = Uint8Array.of(0x74, 0x72, 0x75, 0x65);
const FALSE = Uint8Array.of(0x66, 0x61, 0x6c, 0x73, 0x65);
const NULL = Uint8Array.of(0x6e, 0x75, 0x6c, 0x6c);
/** 1: the character of this code stands for itself in a text. */
const PLAIN = Uint8Array.from({ length: 0x80 }, (_, code) =>
  code >= 0x20 && code !== QUOTE && code !== BACKSLASH ? 1 : 0,
);
const HEX = "0123456789abcdef";
/** Of a writer that has not begun. */
const NO_BUFFER = new Uint8Array(0);

declare const JSON_NAME: unique symbol;

/** A member's name as it stands in a document, with its quotes and colon. */
export type Name = Uint8Array & { readonly [JSON_NAME]: true };

/**
 * Makes a name once, for a table in flash: it is written by one native call, where XS takes some 30 steps for each character of a text.
 * Throws a RangeError unless `text` is printable ASCII that needs no escape.
 */
export function jsonName(text: string): Name {
  const bytes = new Uint8Array(text.length + 3);
  bytes[0] = bytes[text.length + 1] = QUOTE;
  bytes[text.length + 2] = COLON;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) throw new RangeError("JSON name");
    bytes[index + 1] = code;
  }
  return bytes as Name;
}

/** The same for several, as members of those names. */
export function jsonNames<Text extends string>(...texts: Text[]): Readonly<Record<Text, Name>> {
  return Object.freeze(Object.fromEntries(texts.map((text) => [text, jsonName(text)])) as Record<Text, Name>, true);
}

/** Where a document has a name or none: inside an array, and the document itself. */
export type Key = Name | string | undefined;

export class JsonWriter {
  #buffer: Uint8Array = NO_BUFFER;
  /** Goes on counting past the buffer's end: what is written there is lost (ECMA-262, TypedArraySetElement), and `end` tells. */
  #length = 0;
  #needsComma = false;

  /** Starts a document at the beginning of `buffer`. */
  begin(buffer: Uint8Array): this {
    this.#buffer = buffer;
    this.#length = 0;
    this.#needsComma = false;
    return this;
  }

  /** The document's length in bytes. Throws a RangeError when it did not fit the buffer. */
  end(): number {
    if (this.#length > this.#buffer.length) throw new RangeError("JSON document larger than its buffer");
    return this.#length;
  }

  /** Whether all that was written so far is in the buffer. */
  get fits(): boolean {
    return this.#length <= this.#buffer.length;
  }

  /** Opens an object: the document itself, the value of `key`, or (without a key, inside an array) an item. */
  open(key?: Key): this {
    this.start(key);
    this.#needsComma = false;
    this.#buffer[this.#length++] = 0x7b;
    return this;
  }

  close(): this {
    this.#needsComma = true;
    this.#buffer[this.#length++] = 0x7d;
    return this;
  }

  openArray(key?: Key): this {
    this.start(key);
    this.#needsComma = false;
    this.#buffer[this.#length++] = 0x5b;
    return this;
  }

  closeArray(): this {
    this.#needsComma = true;
    this.#buffer[this.#length++] = 0x5d;
    return this;
  }

  /**
   * The number `integer / 10 ** decimals`, exactly; trailing zeros of the fraction are left out.
   * @param integer a whole number within ±(2^53 - 1); throws a RangeError for anything else.
   */
  decimal(key: Key, integer: number, decimals: number): this {
    this.start(key);
    this.#length = writeDecimal(this.#buffer, this.#length, integer, decimals);
    return this;
  }

  integer(key: Key, value: number): this {
    return this.decimal(key, value, 0);
  }

  /** A number as it is, in JavaScript's notation. Throws a RangeError for one that is not finite. */
  number(key: Key, value: number): this {
    if (!Number.isFinite(value)) throw new RangeError("JSON number is not finite");
    const text = value.toString();
    this.start(key);
    for (let index = 0; index < text.length; index++) this.#buffer[this.#length++] = text.charCodeAt(index);
    return this;
  }

  boolean(key: Key, value: boolean): this {
    this.start(key);
    this.add(value ? TRUE : FALSE);
    return this;
  }

  null(key: Key): this {
    this.start(key);
    this.add(NULL);
    return this;
  }

  string(key: Key, value: string): this {
    this.start(key);
    this.quoted(value);
    return this;
  }

  private start(key: Key): void {
    if (this.#needsComma) this.#buffer[this.#length++] = COMMA;
    else this.#needsComma = true;
    if (key === undefined) return;
    if (typeof key === "string") {
      this.quoted(key);
      this.#buffer[this.#length++] = COLON;
    } else this.add(key);
  }

  private add(bytes: Uint8Array): void {
    const at = this.#length;
    const end = at + bytes.length;
    if (end <= this.#buffer.length) this.#buffer.set(bytes, at);
    this.#length = end;
  }

  /** One loop over locals: this runs for every character of every document. */
  private quoted(text: string): void {
    const buffer = this.#buffer;
    const { length } = text;
    // XS makes an object of a text whose member is called, but not of one that is only `this`.
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is only called with a text for `this`
    const { charCodeAt } = String.prototype;
    const plain = PLAIN;
    let at = this.#length;
    let code = 0;
    buffer[at++] = QUOTE;
    for (let index = 0; index < length; index++) {
      code = charCodeAt.call(text, index);
      if (plain[code]) {
        buffer[at++] = code;
        continue;
      }
      if (code < 0x80) {
        if (code < 0x20) at = escape(buffer, at, code);
        else {
          buffer[at++] = BACKSLASH;
          buffer[at++] = code;
        }
        continue;
      }
      if (code < 0x800) {
        buffer[at++] = 0xc0 | (code >> 6);
        buffer[at++] = 0x80 | (code & 63);
        continue;
      }
      if (code >= 0xd800 && code <= 0xdfff) {
        // NaN at the text's end fails both comparisons.
        const low = code < 0xdc00 ? charCodeAt.call(text, index + 1) : NaN;
        if (!(low >= 0xdc00 && low <= 0xdfff)) {
          at = escape(buffer, at, code);
          continue;
        }
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        index++;
      }
      // XS on the device has whole code points where other engines have surrogate pairs.
      if (code < 0x10000) buffer[at++] = 0xe0 | (code >> 12);
      else {
        buffer[at++] = 0xf0 | (code >> 18);
        buffer[at++] = 0x80 | ((code >> 12) & 63);
      }
      buffer[at++] = 0x80 | ((code >> 6) & 63);
      buffer[at++] = 0x80 | (code & 63);
    }
    buffer[at++] = QUOTE;
    this.#length = at;
  }
}

/** Control characters, and lone surrogates, which UTF-8 has no form for (RFC 8259 sections 7 and 8). Where the next byte goes. */
function escape(buffer: Uint8Array, at: number, code: number): number {
  buffer[at++] = BACKSLASH;
  buffer[at++] = 0x75;
  for (let shift = 12; shift >= 0; shift -= 4) buffer[at++] = HEX.charCodeAt((code >> shift) & 15);
  return at;
}
