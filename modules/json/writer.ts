/**
 * Writes JSON as UTF-8 into a buffer that the caller lends: no string is built and nothing is allocated, whatever the size of the document.
 *
 * Numbers are given as integers with a count of decimals, as a BMS sends them (3216, 3 → 3.216), so what is written is exactly what
 * was measured, without binary noise.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

const HEX = "0123456789abcdef";

export class JsonWriter {
  #buffer: Uint8Array = new Uint8Array(0);
  #length = 0;
  #needsComma = false;
  #overflow = false;

  /** Starts a document at the beginning of `buffer`. */
  begin(buffer: Uint8Array): this {
    this.#buffer = buffer;
    this.#length = 0;
    this.#needsComma = false;
    this.#overflow = false;
    return this;
  }

  /** The document's length in bytes. Throws a RangeError when it did not fit the buffer. */
  end(): number {
    if (this.#overflow) throw new RangeError("JSON document larger than its buffer");
    return this.#length;
  }

  /** Opens an object: the document itself, the value of `key`, or (without a key, inside an array) an item. */
  open(key?: string): this {
    return this.#start(key).#opened(0x7b);
  }

  close(): this {
    return this.#closed(0x7d);
  }

  openArray(key?: string): this {
    return this.#start(key).#opened(0x5b);
  }

  closeArray(): this {
    return this.#closed(0x5d);
  }

  /** The number `integer / 10 ** decimals`, exactly; trailing zeros of the fraction are left out. `integer` within ±2^53. */
  decimal(key: string | undefined, integer: number, decimals: number): this {
    this.#start(key);
    let rest = integer;
    if (rest < 0) {
      this.#byte(MINUS);
      rest = -rest;
    }
    while (decimals > 0 && rest % 10 === 0) {
      rest /= 10;
      decimals--;
    }
    let digits = 1;
    for (let bound = 10; rest >= bound; bound *= 10) digits++;
    if (digits <= decimals) digits = decimals + 1;
    const end = this.#length + digits + (decimals ? 1 : 0);
    if (end > this.#buffer.length) this.#overflow = true;
    else {
      let at = end;
      for (let place = 0; place < digits; place++) {
        if (place === decimals && place) this.#buffer[--at] = DOT;
        const next = Math.floor(rest / 10);
        this.#buffer[--at] = ZERO + (rest - next * 10);
        rest = next;
      }
      this.#length = end;
    }
    return this;
  }

  integer(key: string | undefined, value: number): this {
    return this.decimal(key, value, 0);
  }

  boolean(key: string | undefined, value: boolean): this {
    return this.#start(key).#ascii(value ? "true" : "false");
  }

  string(key: string | undefined, value: string): this {
    return this.#start(key).#quoted(value);
  }

  #start(key: string | undefined): this {
    if (this.#needsComma) this.#byte(COMMA);
    this.#needsComma = true;
    if (key !== undefined) this.#quoted(key).#byte(COLON);
    return this;
  }

  #opened(bracket: number): this {
    this.#needsComma = false;
    return this.#byte(bracket);
  }

  #closed(bracket: number): this {
    this.#needsComma = true;
    return this.#byte(bracket);
  }

  #byte(byte: number): this {
    if (this.#length < this.#buffer.length) this.#buffer[this.#length++] = byte;
    else this.#overflow = true;
    return this;
  }

  #ascii(text: string): this {
    for (let index = 0; index < text.length; index++) this.#byte(text.charCodeAt(index));
    return this;
  }

  #quoted(text: string): this {
    this.#byte(QUOTE);
    for (let index = 0; index < text.length; index++) {
      const code = text.codePointAt(index) as number;
      if (code > 0xffff) index++;
      if (code === QUOTE || code === BACKSLASH) this.#byte(BACKSLASH).#byte(code);
      else if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) this.#escape(code);
      else this.#utf8(code);
    }
    return this.#byte(QUOTE);
  }

  /** Control characters, and lone surrogates, which UTF-8 has no form for (RFC 8259 sections 7 and 8). */
  #escape(code: number): void {
    this.#byte(BACKSLASH).#byte(0x75);
    for (let shift = 12; shift >= 0; shift -= 4) this.#byte(HEX.charCodeAt((code >> shift) & 15));
  }

  #utf8(code: number): void {
    if (code < 0x80) this.#byte(code);
    else if (code < 0x800) this.#byte(0xc0 | (code >> 6)).#byte(0x80 | (code & 63));
    else if (code < 0x10000)
      this.#byte(0xe0 | (code >> 12))
        .#byte(0x80 | ((code >> 6) & 63))
        .#byte(0x80 | (code & 63));
    else
      this.#byte(0xf0 | (code >> 18))
        .#byte(0x80 | ((code >> 12) & 63))
        .#byte(0x80 | ((code >> 6) & 63))
        .#byte(0x80 | (code & 63));
  }
}
