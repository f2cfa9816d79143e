import type TextDecoder from "text/decoder";
import { COLON, isBlank, skipBlanks, tokenEnd, trimBlanks, valueEnd } from "./characters";
import {
  CONNECTION,
  CONTENT_LENGTH,
  COOKIE,
  EXPECT,
  findField,
  HOST,
  isList,
  KEPT_FIELDS,
  TRANSFER_ENCODING,
  UNKNOWN_FIELD,
} from "./fields";
import {
  CODING_BAD,
  CODING_NONE,
  CODING_UNKNOWN,
  codingOf,
  contentLengthOf,
  expectsContinue,
  isAuthority,
  ASKS_CLOSE,
  ASKS_KEEP_ALIVE,
  connectionOptions,
} from "./field-values";
import { MAX_EMPTY_LINES, MAX_HEADER_BYTES, MAX_HEADER_COUNT, MAX_KEPT_BYTES } from "./limits";
import {
  CODING_IN_HTTP_1_0,
  FIELDS_TOO_LARGE,
  FOLDED_LINE,
  LENGTH_WITH_CODING,
  MALFORMED_CODING,
  MALFORMED_CONTENT_LENGTH,
  MALFORMED_FIELD,
  MALFORMED_HOST,
  MALFORMED_REQUEST_LINE,
  MISSING_HOST,
  REPEATED_FIELD,
  TOO_MANY_FIELDS,
  UNKNOWN_CODING,
  UNKNOWN_EXPECTATION,
} from "./problems";
import { parseRequestLine, type RequestLine } from "./request-line";

/** The line expected next. */
const REQUEST_LINE = 0;
const FIELD_LINE = 1;
const TRAILER_LINE = 2;
const NONE = 3;

/**
 * A request's head (RFC 9112), parsed strictly line by line: anything outside the grammar is rejected, never repaired. Each `take` returns
 * the error, a number of problems.ts, or 0.
 */
export class RequestHead implements RequestLine {
  method = "";
  path = "";
  query = "";
  targetHost: string | undefined;
  minor = 1;
  /** -1 without the field; LONGEST for anything longer. */
  contentLength = -1;
  chunked = false;
  /** From `Connection` and `Expect`. */
  asksClose = false;
  asksKeepAlive = false;
  asksContinue = false;

  private readonly decoder: TextDecoder;
  private expected = REQUEST_LINE;
  private emptyLines = 0;
  private fields = 0;
  private fieldBytes = 0;
  private keptBytes = 0;
  /** One bit for each known field received. */
  private seen = 0;
  private coding = CODING_NONE;
  /** Values of the kept fields, by number. */
  private readonly values: (string | undefined)[] = new Array<undefined>(KEPT_FIELDS).fill(undefined);

  constructor(decoder: TextDecoder) {
    this.decoder = decoder;
  }

  /** Prepares for the next request. */
  reset(): void {
    this.expected = REQUEST_LINE;
    this.emptyLines = this.fields = this.fieldBytes = this.keptBytes = this.seen = 0;
    this.method = this.path = this.query = "";
    this.targetHost = undefined;
    this.minor = 1;
    this.contentLength = -1;
    this.coding = CODING_NONE;
    this.chunked = this.asksClose = this.asksKeepAlive = this.asksContinue = false;
    this.values.fill(undefined);
  }

  /** Starts the trailer section of a chunked body, of which nothing is kept (RFC 9112 section 7.1.2). */
  beginTrailers(): void {
    this.expected = TRAILER_LINE;
  }

  get expectsRequestLine(): boolean {
    return this.expected === REQUEST_LINE;
  }

  /** The last line, or the last trailer, has been received. */
  get complete(): boolean {
    return this.expected === NONE;
  }

  /** The connection may serve another request (RFC 9112 section 9.3). */
  get persistent(): boolean {
    return !this.asksClose && (this.minor > 0 || this.asksKeepAlive);
  }

  value(field: number): string | undefined {
    return this.values[field];
  }

  text(bytes: Uint8Array, start: number, end: number): string {
    return end > start ? this.decoder.decode(bytes.subarray(start, end)) : "";
  }

  keep(bytes: number): number {
    return (this.keptBytes += bytes) > MAX_KEPT_BYTES ? FIELDS_TOO_LARGE : 0;
  }

  /** Takes the line from `start` to `end`, without its line end. */
  takeLine(bytes: Uint8Array, start: number, end: number): number {
    if (this.expected === REQUEST_LINE) {
      if (start === end) return ++this.emptyLines > MAX_EMPTY_LINES ? MALFORMED_REQUEST_LINE : 0;
      this.expected = FIELD_LINE;
      return parseRequestLine(this, bytes, start, end);
    }
    if (start < end) return this.takeField(bytes, start, end);
    const trailers = this.expected === TRAILER_LINE;
    this.expected = NONE;
    return trailers ? 0 : this.check();
  }

  private takeField(bytes: Uint8Array, start: number, end: number): number {
    if (isBlank(bytes[start])) return FOLDED_LINE;
    if (++this.fields > MAX_HEADER_COUNT) return TOO_MANY_FIELDS;
    if ((this.fieldBytes += end - start) > MAX_HEADER_BYTES) return FIELDS_TOO_LARGE;
    const nameEnd = tokenEnd(bytes, start, end);
    if (nameEnd === start || nameEnd === end || bytes[nameEnd] !== COLON) return MALFORMED_FIELD;
    const from = skipBlanks(bytes, nameEnd + 1, end);
    if (valueEnd(bytes, from, end) < end) return MALFORMED_FIELD;
    if (this.expected === TRAILER_LINE) return 0;
    const field = findField(bytes, start, nameEnd - start);
    return field === UNKNOWN_FIELD ? 0 : this.takeValue(field, bytes, from, trimBlanks(bytes, from, end));
  }

  private takeValue(field: number, bytes: Uint8Array, start: number, end: number): number {
    const repeated = this.has(field);
    if (repeated && !isList(field)) return REPEATED_FIELD;
    this.seen |= 1 << field;
    switch (field) {
      case CONNECTION: {
        const options = connectionOptions(bytes, start, end);
        if (options & ASKS_CLOSE) this.asksClose = true;
        if (options & ASKS_KEEP_ALIVE) this.asksKeepAlive = true;
        return 0;
      }
      case EXPECT:
        this.asksContinue = expectsContinue(bytes, start, end);
        return 0;
      case TRANSFER_ENCODING:
        this.coding = codingOf(bytes, start, end);
        return 0;
      case CONTENT_LENGTH:
        this.contentLength = contentLengthOf(bytes, start, end);
        if (this.contentLength < 0) return MALFORMED_CONTENT_LENGTH;
        break;
      case HOST:
        if (!isAuthority(bytes, start, end)) return MALFORMED_HOST;
        break;
      default:
    }
    return this.keepValue(field, bytes, start, end, repeated);
  }

  private keepValue(field: number, bytes: Uint8Array, start: number, end: number, repeated: boolean): number {
    const problem = this.keep(end - start);
    if (problem) return problem;
    let value = this.text(bytes, start, end);
    if (repeated) {
      // Both the lines and their combined value are in memory at once.
      const first = this.values[field] as string;
      value = `${first}${field === COOKIE ? "; " : ", "}${value}`;
      this.values[field] = value;
      return this.keep(first.length + 2 + end - start);
    }
    this.values[field] = value;
    return 0;
  }

  /** Validates the combination of fields. */
  private check(): number {
    const { coding, targetHost } = this;
    this.chunked = coding !== CODING_NONE;
    if (this.minor > 0 && !this.has(HOST)) return MISSING_HOST;
    if (targetHost !== undefined) this.values[HOST] = targetHost;
    if (this.chunked) {
      if (this.minor === 0) return CODING_IN_HTTP_1_0;
      if (this.has(CONTENT_LENGTH)) return LENGTH_WITH_CODING;
      if (coding === CODING_BAD) return MALFORMED_CODING;
      if (coding === CODING_UNKNOWN) return UNKNOWN_CODING;
    }
    // RFC 9110 section 10.1.1: the expectation is ignored in an HTTP/1.0 request.
    if (this.minor === 0) this.asksContinue = false;
    else if (this.has(EXPECT) && !this.asksContinue) return UNKNOWN_EXPECTATION;
    return 0;
  }

  private has(field: number): boolean {
    return ((this.seen >> field) & 1) !== 0;
  }
}
