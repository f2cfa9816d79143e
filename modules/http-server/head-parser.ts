import {
  ascii,
  COLON,
  CR,
  equals,
  isBlank,
  isDigit,
  LF,
  skipBlanks,
  SPACE,
  targetEnd,
  tokenEnd,
  valueEnd,
} from "./characters";
import { findField, NAME_BYTES, UNKNOWN_FIELD } from "./fields";
import {
  INPUT_BYTES,
  MAX_EMPTY_LINES,
  MAX_HEADER_BYTES,
  MAX_HEADER_COUNT,
  MAX_HEADER_LINE_BYTES,
  MAX_KEPT_BYTES,
  MAX_REQUEST_LINE_BYTES,
} from "./limits";
import type { RequestHead } from "./request-head";

/** The layout of a connection's one buffer: what is kept of the head (the body after it, if it fits), a field name, bytes just read. */
export const NAME_START = MAX_KEPT_BYTES;
export const INPUT_START = NAME_START + NAME_BYTES;
export const BUFFER_BYTES = INPUT_START + INPUT_BYTES;

const EMPTY_LINE = 0;
const EMPTY_LINE_LF = 1;
const METHOD = 2;
const TARGET = 3;
const VERSION = 4;
const REQUEST_LINE_LF = 5;
const FIELD_START = 6;
const NAME = 7;
const BEFORE_VALUE = 8;
const VALUE = 9;
const FIELD_LF = 10;
const LAST_LF = 11;
const COMPLETE = 12;

const PROTOCOL = ascii("HTTP/");
const HTTP_1_1 = ascii("HTTP/1.1");
const MAJOR_AT = 5;
const DOT_AT = 6;
const MINOR_AT = 7;
const VERSION_LENGTH = 8;

/**
 * Takes a request's head apart, however it is cut into pieces, in one pass and by the letter of RFC 9112: what the grammar does not
 * allow is refused, never mended. It goes by runs of characters, not by single ones, and keeps only what RequestHead is asked for.
 */
export class HeadParser {
  readonly #bytes: Uint8Array;
  readonly #head: RequestHead;
  #state = EMPTY_LINE;
  #emptyLines = 0;
  /** Bytes of the line so far, and of all header lines. */
  #line = 0;
  #total = 0;
  #count = 0;
  #field = UNKNOWN_FIELD;
  #nameLength = 0;
  #valueStart = 0;
  #trailers = false;

  constructor(bytes: Uint8Array, head: RequestHead) {
    this.#bytes = bytes;
    this.#head = head;
  }

  /** Begins with the next request. */
  reset(): void {
    this.#head.reset();
    this.#state = EMPTY_LINE;
    this.#emptyLines = this.#line = this.#total = this.#count = 0;
    this.#trailers = false;
  }

  /** The trailer section of a chunked body follows: header lines of which nothing is kept (RFC 9112 section 7.1.2). */
  beginTrailers(): void {
    this.#state = FIELD_START;
    this.#trailers = true;
  }

  /** More than empty lines has come. */
  get begun(): boolean {
    return this.#state > EMPTY_LINE_LF;
  }

  get complete(): boolean {
    return this.#state === COMPLETE && !this.#head.status;
  }

  /**
   * Takes the buffer's bytes from `at` to `end` and answers how far it got: to the end, to the end of the head, or to what is wrong
   * with it (`status` of the head).
   */
  parse(at: number, end: number): number {
    while (at < end && this.#state !== COMPLETE && !this.#head.status) at = this.next(at, end);
    return at;
  }

  private next(at: number, end: number): number {
    const byte = this.#bytes[at] as number;
    // The states that come with each line first: XS compares one case after another.
    switch (this.#state) {
      case BEFORE_VALUE:
        return this.takeBlanks(at, end);
      case VALUE:
        return this.takeValue(at, end);
      case FIELD_LF:
        return this.takeLineFeed(byte, at);
      case FIELD_START:
        return this.takeFieldStart(byte, at, end);
      case NAME:
        return this.takeName(at, end);
      case EMPTY_LINE:
        return this.takeEmptyLine(byte, at);
      case METHOD:
        return this.takeMethod(at, end);
      case TARGET:
        return this.takeTarget(at, end);
      case VERSION:
        return this.takeVersion(byte, at, end);
      default:
        return this.takeLineFeed(byte, at);
    }
  }

  private takeEmptyLine(byte: number, at: number): number {
    if (byte !== CR) this.#state = METHOD;
    else if (++this.#emptyLines > MAX_EMPTY_LINES) return this.malformed("Malformed request line.", at);
    else {
      this.#state = EMPTY_LINE_LF;
      at++;
    }
    return at;
  }

  private takeMethod(at: number, end: number): number {
    const head = this.#head;
    const stop = tokenEnd(this.#bytes, at, end);
    if (!this.growRequestLine(stop - at)) return at;
    head.keep(at, stop);
    if (stop === end) return stop;
    if (this.#bytes[stop] !== SPACE || !head.used) return this.malformed("Malformed request line.", stop);
    if (!this.growRequestLine(1)) return stop;
    head.methodEnd = head.used;
    this.#state = TARGET;
    return stop + 1;
  }

  private takeTarget(at: number, end: number): number {
    const head = this.#head;
    const stop = targetEnd(this.#bytes, at, end);
    if (!this.growRequestLine(stop - at)) return at;
    head.keep(at, stop);
    if (stop === end) return stop;
    if (this.#bytes[stop] !== SPACE) return this.malformed("Malformed request line.", stop);
    if (!this.growRequestLine(1)) return stop;
    head.targetEnd = head.used;
    this.#nameLength = 0;
    this.#state = VERSION;
    return stop + 1;
  }

  /** `HTTP/` digit `.` digit, in capitals; `#nameLength` counts its bytes. */
  private takeVersion(byte: number, at: number, end: number): number {
    const head = this.#head;
    // Nearly always it comes in one piece.
    if (!this.#nameLength && equals(this.#bytes, at, Math.min(at + VERSION_LENGTH, end), HTTP_1_1)) {
      if (!this.growRequestLine(VERSION_LENGTH)) return at;
      this.#nameLength = VERSION_LENGTH;
      return at + VERSION_LENGTH;
    }
    const index = this.#nameLength++;
    if (index === VERSION_LENGTH) {
      if (byte !== CR) return this.malformed("Malformed request line.", at);
      this.#state = REQUEST_LINE_LF;
      return at + 1;
    }
    if (!this.growRequestLine(1)) return at;
    const right =
      index === MAJOR_AT || index === MINOR_AT ? isDigit(byte) : byte === (index === DOT_AT ? 0x2e : PROTOCOL[index]);
    if (!right) return this.malformed("Malformed request line.", at);
    if (index === MAJOR_AT) head.major = byte - 0x30;
    else if (index === MINOR_AT) head.minor = byte - 0x30;
    return at + 1;
  }

  private takeLineFeed(byte: number, at: number): number {
    if (byte !== LF) return this.malformed("Carriage return without line feed.", at);
    switch (this.#state) {
      case EMPTY_LINE_LF:
        this.#state = EMPTY_LINE;
        break;
      case REQUEST_LINE_LF:
        this.#state = FIELD_START;
        if (this.#head.major !== 1) this.#head.fail(505, "Only HTTP/1.1 and HTTP/1.0.");
        break;
      case FIELD_LF:
        this.#state = FIELD_START;
        this.#head.field(this.#field, this.#valueStart);
        break;
      default:
        this.#state = COMPLETE;
        if (!this.#trailers) this.#head.finish();
    }
    return at + 1;
  }

  private takeFieldStart(byte: number, at: number, end: number): number {
    if (byte === CR) {
      this.#state = LAST_LF;
      return at + 1;
    }
    if (isBlank(byte)) return this.malformed("Folded header line.", at);
    if (++this.#count > MAX_HEADER_COUNT) {
      this.#head.fail(431, "Too many header fields.");
      return at;
    }
    this.#line = this.#nameLength = 0;
    this.#state = NAME;
    return this.takeName(at, end);
  }

  private takeName(at: number, end: number): number {
    const stop = tokenEnd(this.#bytes, at, end);
    if (!this.grow(stop - at)) return at;
    if (this.#nameLength < NAME_BYTES) {
      const last = Math.min(stop, at + NAME_BYTES - this.#nameLength);
      this.#bytes.copyWithin(NAME_START + this.#nameLength, at, last);
    }
    this.#nameLength += stop - at;
    if (stop === end) return stop;
    if (this.#bytes[stop] !== COLON || !this.#nameLength) return this.malformed("Malformed header field.", stop);
    if (!this.grow(1)) return stop;
    this.#field = this.#trailers ? UNKNOWN_FIELD : findField(this.#bytes, NAME_START, this.#nameLength);
    this.#valueStart = this.#head.used;
    this.#state = BEFORE_VALUE;
    return stop + 1;
  }

  private takeBlanks(at: number, end: number): number {
    const stop = skipBlanks(this.#bytes, at, end);
    if (!this.grow(stop - at) || stop === end) return stop;
    this.#state = VALUE;
    return this.takeValue(stop, end);
  }

  private takeValue(at: number, end: number): number {
    const stop = valueEnd(this.#bytes, at, end);
    if (!this.grow(stop - at)) return at;
    if (this.#field !== UNKNOWN_FIELD) this.#head.keep(at, stop);
    if (stop === end) return stop;
    if (this.#bytes[stop] !== CR) return this.malformed("Malformed header field.", stop);
    this.#state = FIELD_LF;
    return stop + 1;
  }

  private growRequestLine(bytes: number): boolean {
    this.#line += bytes;
    if (this.#line <= MAX_REQUEST_LINE_BYTES) return true;
    this.#head.fail(414, "Request line too long.");
    return false;
  }

  private grow(bytes: number): boolean {
    this.#line += bytes;
    this.#total += bytes;
    if (this.#line <= MAX_HEADER_LINE_BYTES && this.#total <= MAX_HEADER_BYTES) return true;
    this.#head.fail(431, "Request header fields too large.");
    return false;
  }

  private malformed(problem: string, at: number): number {
    this.#head.fail(400, problem);
    return at;
  }
}
