import { MAX_RESPONSE_HEAD_BYTES, RESPONSE_BUFFER_BYTES } from "./limits";
import { reasonPhrase } from "./status";

const CR = 0x0d;
const LF = 0x0a;
const TAB = 0x09;
const SPACE = 0x20;
const COLON = 0x3a;
const DELETE = 0x7f;
const HEX = "0123456789abcdef";

/** What a chunk takes besides its data: up to four digits and two line ends. */
export const CHUNK_OVERHEAD = 8;

/**
 * The one buffer in which responses are made, whole or a piece at a time, for all connections: a head, then a body or a piece of one.
 * It is used and written out within one callback, so it belongs to nobody in between.
 */
export class ResponseFrame {
  readonly #bytes = new Uint8Array(MAX_RESPONSE_HEAD_BYTES + RESPONSE_BUFFER_BYTES + 2);
  /** Where the body is made. */
  readonly body = this.#bytes.subarray(MAX_RESPONSE_HEAD_BYTES, MAX_RESPONSE_HEAD_BYTES + RESPONSE_BUFFER_BYTES);
  /** Something is being made: whoever comes now, from within a callback, has to come again. */
  busy = false;
  #length = 0;

  /** Begins a head. What does not fit in MAX_RESPONSE_HEAD_BYTES throws a RangeError. */
  begin(status: number): this {
    this.#length = 0;
    return this.#text("HTTP/1.1 ").#text(status.toString()).#byte(SPACE).#text(reasonPhrase(status)).#lineEnd();
  }

  /** Adds a field. A character that could break out of its line, or that is no Latin-1, throws a RangeError. */
  field(name: string, value: string): this {
    if (!name || name.indexOf(":") >= 0) throw new RangeError("malformed header name");
    return this.#text(name).#byte(COLON).#byte(SPACE).#text(value).#lineEnd();
  }

  number(name: string, value: number): this {
    return this.field(name, value.toString());
  }

  /** The head just made, with the first `bodyLength` bytes of `body` after it. */
  message(bodyLength: number): Uint8Array {
    const length = this.#lineEnd().#length;
    const start = MAX_RESPONSE_HEAD_BYTES - length;
    this.#bytes.copyWithin(start, 0, length);
    return this.#bytes.subarray(start, MAX_RESPONSE_HEAD_BYTES + bodyLength);
  }

  /** The first `length` bytes of `body`, at least one, as they are. */
  piece(length: number): Uint8Array {
    return this.#bytes.subarray(MAX_RESPONSE_HEAD_BYTES, MAX_RESPONSE_HEAD_BYTES + length);
  }

  /** The first `length` bytes of `body` as a chunk, RFC 9112 section 7.1. */
  chunk(length: number): Uint8Array {
    const bytes = this.#bytes;
    let start = MAX_RESPONSE_HEAD_BYTES;
    let end = start + length;
    bytes[--start] = LF;
    bytes[--start] = CR;
    for (let rest = length; rest; rest >>= 4) bytes[--start] = HEX.charCodeAt(rest & 15);
    bytes[end++] = CR;
    bytes[end++] = LF;
    return bytes.subarray(start, end);
  }

  /** The last chunk and the end of a chunked body. */
  lastChunk(): Uint8Array {
    this.#length = 0;
    return this.#text("0").#lineEnd().#lineEnd().#bytes.subarray(0, this.#length);
  }

  continue(): Uint8Array {
    this.#length = 0;
    return this.#text("HTTP/1.1 100 Continue").#lineEnd().#lineEnd().#bytes.subarray(0, this.#length);
  }

  #lineEnd(): this {
    return this.#byte(CR).#byte(LF);
  }

  #text(text: string): this {
    const length = text.length;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if ((code < SPACE && code !== TAB) || code === DELETE || code > 0xff)
        throw new RangeError("malformed header text");
      this.#byte(code);
    }
    return this;
  }

  #byte(byte: number): this {
    if (this.#length === MAX_RESPONSE_HEAD_BYTES) throw new RangeError("response head larger than its buffer");
    this.#bytes[this.#length++] = byte;
    return this;
  }
}
