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

const HEX = "0123456789abcdef";

export class JsonWriter {
  #buffer: Uint8Array = new Uint8Array(0);
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
  open(key?: string): this {
    this.#start(key);
    return this.#opened(0x7b);
  }

  close(): this {
    return this.#closed(0x7d);
  }

  openArray(key?: string): this {
    this.#start(key);
    return this.#opened(0x5b);
  }

  closeArray(): this {
    return this.#closed(0x5d);
  }

  /**
   * The number `integer / 10 ** decimals`, exactly; trailing zeros of the fraction are left out.
   * @param integer a whole number within ±(2^53 - 1); throws a RangeError for anything else.
   */
  decimal(key: string | undefined, integer: number, decimals: number): this {
    this.#start(key);
    this.#length = writeDecimal(this.#buffer, this.#length, integer, decimals);
    return this;
  }

  integer(key: string | undefined, value: number): this {
    return this.decimal(key, value, 0);
  }

  /** A number as it is, in JavaScript's notation. Throws a RangeError for one that is not finite. */
  number(key: string | undefined, value: number): this {
    if (!Number.isFinite(value)) throw new RangeError("JSON number is not finite");
    return this.#literal(key, value.toString());
  }

  boolean(key: string | undefined, value: boolean): this {
    return this.#literal(key, value ? "true" : "false");
  }

  null(key: string | undefined): this {
    return this.#literal(key, "null");
  }

  string(key: string | undefined, value: string): this {
    this.#start(key);
    this.#quoted(value);
    return this;
  }

  #literal(key: string | undefined, text: string): this {
    this.#start(key);
    for (let index = 0; index < text.length; index++) this.#buffer[this.#length++] = text.charCodeAt(index);
    return this;
  }

  #start(key: string | undefined): void {
    if (this.#needsComma) this.#buffer[this.#length++] = COMMA;
    this.#needsComma = true;
    if (key !== undefined) {
      this.#quoted(key);
      this.#buffer[this.#length++] = COLON;
    }
  }

  #opened(bracket: number): this {
    this.#needsComma = false;
    this.#buffer[this.#length++] = bracket;
    return this;
  }

  #closed(bracket: number): this {
    this.#needsComma = true;
    this.#buffer[this.#length++] = bracket;
    return this;
  }

  /** One loop over locals: this runs for every character of every document. */
  #quoted(text: string): void {
    const buffer = this.#buffer;
    const { length } = text;
    let at = this.#length;
    buffer[at++] = QUOTE;
    for (let index = 0; index < length; index++) {
      let code = text.charCodeAt(index);
      if (code < 0x80) {
        if (code === QUOTE || code === BACKSLASH) buffer[at++] = BACKSLASH;
        else if (code < 0x20) {
          at = escape(buffer, at, code);
          continue;
        }
        buffer[at++] = code;
        continue;
      }
      if (code < 0x800) {
        buffer[at++] = 0xc0 | (code >> 6);
        buffer[at++] = 0x80 | (code & 63);
        continue;
      }
      if (code >= 0xd800 && code <= 0xdfff) {
        // NaN at the text's end fails both comparisons.
        const low = code < 0xdc00 ? text.charCodeAt(index + 1) : NaN;
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
