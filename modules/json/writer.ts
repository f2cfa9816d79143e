/**
 * Writes JSON as UTF-8 into the caller's buffer: the document never exists as a string.
 *
 * Numbers are given as integers with a count of decimals, as a BMS sends them (3216, 3 → 3.216), so what is written is exactly what
 * was measured, without binary noise.
 */
import { writeText, type JsonValue } from "./bytes";
import { decimalText } from "./decimal";

/** A member's name, which needs no escape; undefined for array items and the document itself. */
export type Key = string | undefined;

/** Characters that are written to the buffer together: each time takes XS as long as a dozen members. */
const TOGETHER = 128;

/** Placeholder between documents. */
const NO_BUFFER = new Uint8Array(0);

export class JsonWriter {
  private buffer: Uint8Array = NO_BUFFER;
  /** Keeps counting past the end of the buffer, where nothing is written; `end` throws then. */
  private length = 0;
  /** Not in the buffer yet. */
  private pending = "";
  private needsComma = false;

  /** Starts a document at the beginning of `buffer`, or with `isNext` an item that follows others. */
  begin(buffer: Uint8Array, isNext = false): this {
    this.buffer = buffer;
    this.length = 0;
    this.pending = "";
    this.needsComma = isNext;
    return this;
  }

  /** Returns the document's length in bytes and releases the buffer. Throws a RangeError if the document did not fit. */
  end(): number {
    const { fits } = this;
    this.buffer = NO_BUFFER;
    if (!fits) throw new RangeError("JSON document larger than its buffer");
    return this.length;
  }

  /** Whether everything written so far fits the buffer. */
  get fits(): boolean {
    return this.room >= 0;
  }

  /** Bytes that the buffer has left; negative: so many were too many. */
  get room(): number {
    this.flush();
    return this.buffer.length - this.length;
  }

  /** Opens an object: the document itself, the value of `key`, or (without a key, inside an array) an item. */
  open(key?: Key): this {
    return this.opened(key, "{");
  }

  close(): this {
    return this.closed("}");
  }

  openArray(key?: Key): this {
    return this.opened(key, "[");
  }

  closeArray(): this {
    return this.closed("]");
  }

  /**
   * The number `integer / 10 ** decimals`, exactly; trailing zeros of the fraction are omitted.
   * @param integer a whole number within ±(2^53 - 1); throws a RangeError for anything else.
   */
  decimal(key: Key, integer: number, decimals: number): this {
    return this.put(key, decimalText(integer, decimals));
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
    return this.put(key, `${value}`);
  }

  null(key: Key): this {
    return this.put(key, "null");
  }

  string(key: Key, value: string): this {
    return this.value(key, value);
  }

  /** An array of texts. */
  strings(key: Key, values: readonly string[]): this {
    return this.put(key, `[${values.map((value) => JSON.stringify(value)).join()}]`);
  }

  /** Anything that `JSON.stringify` takes: best for a short object, all of whose members cost about as much as one written here. */
  value(key: Key, value: JsonValue): this {
    return this.put(key, JSON.stringify(value));
  }

  /** Members or items that are ready, with their names and the commas between them. */
  members(text: string): this {
    return this.put(undefined, text);
  }

  private put(key: Key, text: string): this {
    const start = this.needsComma ? "," : "";
    this.pending += key === undefined ? start + text : `${start}"${key}":${text}`;
    if (this.pending.length >= TOGETHER) this.flush();
    this.needsComma = true;
    return this;
  }

  private flush(): void {
    this.length = writeText(this.buffer, this.length, this.pending);
    this.pending = "";
  }

  private opened(key: Key, bracket: string): this {
    this.put(key, bracket).needsComma = false;
    return this;
  }

  private closed(bracket: string): this {
    this.needsComma = false;
    return this.put(undefined, bracket);
  }
}
