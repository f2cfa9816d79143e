import TextEncoder from "text/encoder";
import { MAX_RESPONSE_HEAD_BYTES, RESPONSE_BUFFER_BYTES } from "./limits";
import { ascii, COLON, CR, LF, SPACE, TAB } from "./characters";
import { statusLine } from "./status";
import type { HeaderLine, Render } from "./types";

const ZERO = 0x30;
const DELETE = 0x7f;
const HEX = ascii("0123456789abcdef");
const LINE_END = "\r\n";

/** The last chunk and the end of a chunked body. */
export const LAST_CHUNK = ascii("0\r\n\r\n");
export const CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");

/** Of a head without Content-Length. */
export const NO_LENGTH = -1;

/** Overhead of a chunk: up to four digits and two line ends. */
export const CHUNK_OVERHEAD = 8;

/** Start of the body. Before it there is room for the head as it is built, and for its copy. */
const BODY = 2 * MAX_RESPONSE_HEAD_BYTES;

/**
 * The one buffer, shared by all connections, in which responses are built, whole or piecewise: a head, then a body or a piece of one.
 * Filled and sent within one callback, so it has no owner in between.
 */
export class ResponseFrame {
  /** A head is built at the beginning and copied to end at BODY. */
  private readonly bytes = new Uint8Array(BODY + RESPONSE_BUFFER_BYTES + 2);
  /** The body is built here. */
  readonly body = this.bytes.subarray(BODY, BODY + RESPONSE_BUFFER_BYTES);
  /** In use: calls from within a callback must retry later. */
  busy = false;
  private length = 0;
  // Key of the head fields kept for the next response.
  private status = 0;
  private type: string | undefined;
  private headers: readonly HeaderLine[] | undefined;
  private options = 0;
  private keptBytes = 0;
  /** Bytes of the head that ends at BODY; 0: none. */
  private placed = 0;
  /** The value of its last field, or NO_LENGTH. */
  private placedLength = NO_LENGTH;

  /** Builds a body and returns its length in bytes. Throws a RangeError for an invalid one, and whatever `body` throws. */
  render(body: Render): number {
    this.busy = true;
    try {
      const length = body(this.body);
      if (!Number.isInteger(length) || length < 0 || length > RESPONSE_BUFFER_BYTES)
        throw new RangeError("invalid length of a rendered body");
      return length;
    } finally {
      this.busy = false;
    }
  }

  /** Starts a head with the kept fields if the key is the same, as it nearly always is. */
  repeats(status: number, type: string | undefined, headers: readonly HeaderLine[], options: number): boolean {
    if (this.status !== status || this.headers !== headers || this.options !== options || this.type !== type)
      return false;
    this.length = this.keptBytes;
    return true;
  }

  /** Keeps the fields built so far for heads with the same key. Header lines in `headers` never change. */
  keep(status: number, type: string | undefined, headers: readonly HeaderLine[], options: number): void {
    this.status = status;
    this.type = type;
    this.headers = headers;
    this.options = options;
    this.keptBytes = this.length;
  }

  /** Starts a head. Throws a RangeError beyond MAX_RESPONSE_HEAD_BYTES. */
  begin(status: number): this {
    this.length = this.status = this.placed = 0;
    return this.add(statusLine(status));
  }

  /** Adds a text known to be valid, and ASCII. */
  add(text: string): this {
    const end = this.length + text.length;
    if (end > MAX_RESPONSE_HEAD_BYTES) this.full();
    new TextEncoder().encodeInto(text, this.bytes.subarray(this.length));
    this.length = end;
    return this;
  }

  /** Adds a field. Throws a RangeError for characters that could break out of the line or are not Latin-1. */
  field(name: string, value: string): this {
    if (!name || name.indexOf(":") >= 0) throw new RangeError("malformed header name");
    return this.put(name).putByte(COLON).putByte(SPACE).put(value).add(LINE_END);
  }

  /** Adds a field; `start` is everything before the value. */
  textField(start: string, value: string): this {
    return this.add(start).put(value).add(LINE_END);
  }

  /**
   * Ends the head just built, with the value `length` of its last field unless it is NO_LENGTH. Returns it followed by the first
   * `bodyLength` bytes of `body`.
   */
  message(length: number, bodyLength: number): Uint8Array {
    // If the whole head equals the last one, it is already in place.
    if (!this.placed || this.placedLength !== length) this.place(length);
    return this.bytes.subarray(BODY - this.placed, BODY + bodyLength);
  }

  private place(length: number): void {
    if (length !== NO_LENGTH) this.digits(length).add(LINE_END);
    const end = this.add(LINE_END).length;
    // Copying takes XS two steps per byte: if the last head was as long, only what follows the kept fields is copied.
    const from = this.placed === end ? this.keptBytes : 0;
    this.bytes.copyWithin(BODY - end + from, from, end);
    this.placed = end;
    this.placedLength = length;
  }

  /** The first `length` bytes of the body, at least one, as they are. */
  piece(length: number): Uint8Array {
    return this.body.subarray(0, length);
  }

  /** The first `length` bytes of what `piece` was given as a chunk, RFC 9112 section 7.1. */
  chunk(length: number): Uint8Array {
    const bytes = this.bytes;
    const end = BODY + length;
    let start = BODY - 2;
    let rest = length;
    this.placed = 0;
    bytes[start] = CR;
    bytes[start + 1] = LF;
    while (rest) {
      start--;
      bytes[start] = HEX[rest & 15] as number;
      rest >>= 4;
    }
    bytes[end] = CR;
    bytes[end + 1] = LF;
    return bytes.subarray(start, end + 2);
  }

  private put(text: string): this {
    const { length } = text;
    // XS boxes a string to call its method, but not as a plain `this`.
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is only called with a text for `this`
    const { charCodeAt } = String.prototype;
    if (this.length + length > MAX_RESPONSE_HEAD_BYTES) this.full();
    const bytes = this.bytes;
    let at = this.length;
    let code = 0;
    for (let index = 0; index < length; index++) {
      code = charCodeAt.call(text, index);
      if ((code < SPACE && code !== TAB) || code === DELETE || code > 0xff)
        throw new RangeError("malformed header text");
      bytes[at++] = code;
    }
    this.length = at;
    return this;
  }

  /** Adds `value`, an integer of 0 or more, in decimal. */
  private digits(value: number): this {
    const bytes = this.bytes;
    let end = this.length + 1;
    for (let bound = 10; value >= bound; bound *= 10) end++;
    if (end > MAX_RESPONSE_HEAD_BYTES) this.full();
    this.length = end;
    let rest = value;
    let digit = 0;
    while (rest >= 10) {
      digit = rest % 10;
      bytes[--end] = ZERO + digit;
      rest = (rest - digit) / 10;
    }
    bytes[--end] = ZERO + rest;
    return this;
  }

  private putByte(byte: number): this {
    if (this.length === MAX_RESPONSE_HEAD_BYTES) this.full();
    this.bytes[this.length++] = byte;
    return this;
  }

  private full(): never {
    throw new RangeError("response head larger than its buffer");
  }
}
