/**
 * Writes JSON as UTF-8 into the caller's buffer: the document never exists as a string.
 *
 * Numbers are given as integers with a count of decimals, as a BMS sends them (3216, 3 → 3.216), so what is written is exactly what
 * was measured, without binary noise.
 */
import { writeText, writeValue, type JsonValue } from "./bytes";
import { writeDecimal } from "./decimal";

const COMMA = 0x2c;
const COLON = 0x3a;

/** A member's name; undefined for array items and the document itself. */
export type Key = string | undefined;

/** Placeholder between documents. */
const NO_BUFFER = new Uint8Array(0);

export class JsonWriter {
  private _buffer: Uint8Array = NO_BUFFER;
  /** Keeps counting past the end of the buffer, where bytes are dropped (ECMA-262, TypedArraySetElement); `end` throws then. */
  private _length = 0;
  private needsComma = false;

  /** Starts a document at the beginning of `buffer`. */
  begin(buffer: Uint8Array): this {
    this._buffer = buffer;
    this._length = 0;
    this.needsComma = false;
    return this;
  }

  /** Returns the document's length in bytes and releases the buffer. Throws a RangeError if the document did not fit. */
  end(): number {
    const { fits } = this;
    this._buffer = NO_BUFFER;
    if (!fits) throw new RangeError("JSON document larger than its buffer");
    return this._length;
  }

  /** Whether everything written so far fits the buffer. */
  get fits(): boolean {
    return this._length <= this._buffer.length;
  }

  /** Opens an object: the document itself, the value of `key`, or (without a key, inside an array) an item. */
  open(key?: Key): this {
    return this.opened(key, 0x7b);
  }

  close(): this {
    return this.closed(0x7d);
  }

  openArray(key?: Key): this {
    return this.opened(key, 0x5b);
  }

  closeArray(): this {
    return this.closed(0x5d);
  }

  /**
   * The number `integer / 10 ** decimals`, exactly; trailing zeros of the fraction are omitted.
   * @param integer a whole number within ±(2^53 - 1); throws a RangeError for anything else.
   */
  decimal(key: Key, integer: number, decimals: number): this {
    this._length = writeDecimal(this._buffer, this.start(key), integer, decimals);
    return this;
  }

  integer(key: Key, value: number): this {
    return this.decimal(key, value, 0);
  }

  /** A number in JavaScript's notation. Throws a RangeError unless it is finite. */
  number(key: Key, value: number): this {
    if (!Number.isFinite(value)) throw new RangeError("JSON number is not finite");
    return this.value(key, value);
  }

  boolean(key: Key, value: boolean): this {
    this._length = writeText(this._buffer, this.start(key), value ? "true" : "false");
    return this;
  }

  null(key: Key): this {
    this._length = writeText(this._buffer, this.start(key), "null");
    return this;
  }

  string(key: Key, value: string): this {
    return this.value(key, value);
  }

  /** Anything that `JSON.stringify` takes: best for a short object, all of whose members cost about as much as one written here. */
  value(key: Key, value: JsonValue): this {
    this._length = writeValue(this._buffer, this.start(key), value);
    return this;
  }

  /** Constant members, with their names and the commas between them. */
  members(text: string): this {
    this._length = writeText(this._buffer, this.start(undefined), text);
    return this;
  }

  /** Position of the next byte; with `buffer` and `resume`, for code that writes bytes itself. */
  get length(): number {
    return this._length;
  }

  get buffer(): Uint8Array {
    return this._buffer;
  }

  /** Continues at byte `length`, after members written from the previous `length` on, commas included. */
  resume(length: number): this {
    this._length = length;
    this.needsComma = true;
    return this;
  }

  /** Writes comma and name. Returns the position of the value. */
  private start(key: Key): number {
    const into = this._buffer;
    let at = this._length;
    if (this.needsComma) {
      into[at] = COMMA;
      at++;
    } else this.needsComma = true;
    if (key === undefined) return at;
    at = writeValue(into, at, key);
    into[at] = COLON;
    return at + 1;
  }

  private opened(key: Key, bracket: number): this {
    const at = this.start(key);
    this._buffer[at] = bracket;
    this._length = at + 1;
    this.needsComma = false;
    return this;
  }

  private closed(bracket: number): this {
    this._buffer[this._length] = bracket;
    this._length++;
    this.needsComma = true;
    return this;
  }
}
