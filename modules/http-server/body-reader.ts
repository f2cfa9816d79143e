import { CR, hexDigit, isBlank, LF, SEMICOLON, valueEnd } from "./characters";
import type { HeadParser } from "./head-parser";
import { MAX_CHUNK_EXTENSION_BYTES, MAX_CHUNK_SIZE_DIGITS } from "./limits";
import type { RequestHead } from "./request-head";
import type { BodySink } from "./types";

const ENDED = 0;
const FIXED = 1;
const CHUNK_SIZE = 2;
const BEFORE_EXTENSION = 3;
const EXTENSION = 4;
const SIZE_LF = 5;
const CHUNK_DATA = 6;
const DATA_CR = 7;
const DATA_LF = 8;
const TRAILERS = 9;

const NOTHING = -1;

/**
 * Takes a request's body apart (RFC 9112 sections 6.2 and 7.1), however it is cut into pieces, and keeps its bytes where it is told, up
 * to a limit. What is wrong with it becomes the status of the head it belongs to.
 */
export class BodyReader {
  readonly #bytes: Uint8Array;
  readonly #head: RequestHead;
  readonly #parser: HeadParser;
  #state = ENDED;
  /** Bytes still to come of the body, or of the chunk. */
  #left = 0;
  #digits = 0;
  #extensionBytes = 0;
  /** Where the body is put, and how much of it is there; a limit of NOTHING drops it. */
  #target: Uint8Array;
  #start = 0;
  #length = 0;
  #limit = NOTHING;
  #oversize = false;
  /** Where the body goes instead of being put somewhere. */
  #sink: BodySink | undefined;
  #blocked = false;

  /** Reads from `bytes`. */
  constructor(bytes: Uint8Array, head: RequestHead, parser: HeadParser) {
    this.#bytes = this.#target = bytes;
    this.#head = head;
    this.#parser = parser;
  }

  /** The body that the head announces follows. */
  begin(): void {
    const length = this.#head.contentLength;
    this.#left = this.#digits = this.#extensionBytes = 0;
    this.drop();
    if (this.#head.chunked) this.#state = CHUNK_SIZE;
    else if (length > 0) {
      this.#state = FIXED;
      this.#left = length;
    } else this.#state = ENDED;
  }

  /** From here on the body is kept in `target`, from `start` on, up to `limit` bytes. */
  collect(target: Uint8Array, start: number, limit: number): void {
    this.#target = target;
    this.#start = start;
    this.#limit = limit;
    this.#length = 0;
    this.#oversize = this.#state === FIXED && this.#left > limit;
  }

  /** From here on the body goes to `sink`, up to `limit` bytes. */
  stream(sink: BodySink, limit: number): void {
    this.#sink = sink;
    this.#limit = limit;
    this.#length = 0;
    this.#oversize = this.#state === FIXED && this.#left > limit;
  }

  /** From here on the body is not wanted. */
  drop(): void {
    this.#sink = undefined;
    this.#blocked = false;
    this.#target = this.#bytes;
    this.#limit = NOTHING;
    this.#length = 0;
    this.#oversize = false;
  }

  get ended(): boolean {
    return this.#state === ENDED;
  }

  /** The body is longer than its limit: what is kept of it is worthless. */
  get oversize(): boolean {
    return this.#oversize;
  }

  /** How much of it the sink has taken. */
  get streamed(): number {
    return this.#sink ? this.#length : 0;
  }

  /** The sink wants no more now. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /** The sink may be asked again. */
  unblock(): void {
    this.#blocked = false;
  }

  /** Bytes still to come, -1 when nobody knows. */
  get left(): number {
    return this.#state === FIXED ? this.#left : this.#state === ENDED ? 0 : -1;
  }

  /** What was kept. */
  get bytes(): Uint8Array {
    return this.#target.subarray(this.#start, this.#start + this.#length);
  }

  /** Takes the buffer's bytes from `at` to `end` and answers how far it got: to the end, to the body's end, or to an error or excess. */
  feed(at: number, end: number): number {
    while (at < end && this.#state !== ENDED && !this.#oversize && !this.#head.status && !this.#blocked)
      at = this.next(at, end);
    return at;
  }

  private next(at: number, end: number): number {
    const byte = this.#bytes[at] as number;
    switch (this.#state) {
      case FIXED:
      case CHUNK_DATA:
        return this.takeData(at, end);
      case CHUNK_SIZE:
        return this.takeSize(byte, at);
      case BEFORE_EXTENSION:
      case EXTENSION:
        return this.takeExtension(byte, at, end);
      case SIZE_LF:
        return this.takeSizeEnd(byte, at);
      case DATA_CR:
        if (byte !== CR) return this.malformed(at);
        this.#state = DATA_LF;
        return at + 1;
      case DATA_LF:
        if (byte !== LF) return this.malformed(at);
        this.#state = CHUNK_SIZE;
        this.#left = this.#digits = 0;
        return at + 1;
      default:
        at = this.#parser.parse(at, end);
        if (this.#parser.complete) this.#state = ENDED;
        return at;
    }
  }

  private takeData(at: number, end: number): number {
    const stop = Math.min(end, at + this.#left);
    if (this.#sink) {
      this.#blocked = !this.#sink.write(this.#bytes.subarray(at, stop));
      if (this.#blocked) return at;
      this.#length += stop - at;
    } else if (this.#limit !== NOTHING) this.put(at, stop);
    this.#left -= stop - at;
    if (!this.#left) this.#state = this.#state === FIXED ? ENDED : DATA_CR;
    return stop;
  }

  private put(from: number, to: number): void {
    const at = this.#start + this.#length;
    if (this.#target === this.#bytes) this.#bytes.copyWithin(at, from, to);
    else this.#target.set(this.#bytes.subarray(from, to), at);
    this.#length += to - from;
  }

  private takeSize(byte: number, at: number): number {
    const digit = hexDigit(byte);
    if (digit >= 0) {
      if (++this.#digits > MAX_CHUNK_SIZE_DIGITS) return this.malformed(at);
      this.#left = this.#left * 16 + digit;
      return at + 1;
    }
    if (!this.#digits) return this.malformed(at);
    this.#state = byte === CR ? SIZE_LF : BEFORE_EXTENSION;
    return byte === CR ? at + 1 : at;
  }

  /** Blanks, then a semicolon, then anything a field value may have, up to the line's end: RFC 9112 section 7.1.1. */
  private takeExtension(byte: number, at: number, end: number): number {
    let stop = at;
    if (this.#state === EXTENSION) stop = valueEnd(this.#bytes, at, end);
    else if (byte === SEMICOLON || isBlank(byte)) stop = at + 1;
    if (byte === SEMICOLON) this.#state = EXTENSION;
    this.#extensionBytes += stop - at;
    if (this.#extensionBytes > MAX_CHUNK_EXTENSION_BYTES) return this.malformed(at);
    if (stop > at) return stop;
    if (this.#state !== EXTENSION || byte !== CR) return this.malformed(at);
    this.#state = SIZE_LF;
    return at + 1;
  }

  private takeSizeEnd(byte: number, at: number): number {
    if (byte !== LF) return this.malformed(at);
    if (!this.#left) {
      this.#parser.beginTrailers();
      this.#state = TRAILERS;
    } else {
      this.#state = CHUNK_DATA;
      this.#oversize = this.#limit !== NOTHING && this.#length + this.#left > this.#limit;
    }
    return at + 1;
  }

  private malformed(at: number): number {
    this.#head.fail(400, "Malformed chunked body.");
    return at;
  }
}
