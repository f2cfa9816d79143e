import type TextDecoder from "text/decoder";
import { COLON, CR, isBlank, runEnd, skipBlanks, TOKEN, trimBlanks, VALUE } from "./characters";
import {
  CONNECTION,
  CONTENT_LENGTH,
  COOKIE,
  EXPECT,
  findField,
  HOST,
  isList,
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
import { BROKEN_LINE, type Input, TOO_LONG } from "./input";
import {
  MAX_EMPTY_LINES,
  MAX_HEADER_BYTES,
  MAX_HEADER_COUNT,
  MAX_HEADER_LINE_BYTES,
  MAX_KEPT_BYTES,
  MAX_REQUEST_LINE_BYTES,
} from "./limits";
import {
  BARE_CARRIAGE_RETURN,
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
  type Problem,
  REPEATED_FIELD,
  REQUEST_LINE_TOO_LONG,
  TOO_MANY_FIELDS,
  UNKNOWN_CODING,
  UNKNOWN_EXPECTATION,
} from "./problems";
import { RequestHead } from "./request-head";
import { parseRequestLine, type RequestLineParser } from "./request-line";

/** The line expected next. */
const REQUEST_LINE = 0;
const FIELD_LINE = 1;
const TRAILER_LINE = 2;
const NONE = 3;

/**
 * Parses a request's head (RFC 9112) strictly, line by line: anything outside the grammar is rejected, never repaired. Lives from the first
 * line of a head to its last, or to the last trailer of a chunked body.
 */
export class HeadParser implements RequestLineParser {
  readonly head = new RequestHead();
  targetHost: string | undefined;
  private readonly decoder: TextDecoder;
  private expected = REQUEST_LINE;
  private emptyLines = 0;
  private fields = 0;
  private fieldBytes = 0;
  private keptBytes = 0;
  /** One bit for each known field received. */
  private seen = 0;
  private coding = CODING_NONE;
  /** From `Connection`. */
  private options = 0;

  constructor(decoder: TextDecoder) {
    this.decoder = decoder;
  }

  /** Starts the trailer section of a chunked body, of which nothing is kept (RFC 9112 section 7.1.2). */
  beginTrailers(): void {
    this.expected = TRAILER_LINE;
  }

  /** The last line, or the last trailer, has been received. */
  get complete(): boolean {
    return this.expected === NONE;
  }

  /** Something other than empty lines has arrived, including what is unread in `input`. */
  hasBegun({ empty, bytes, start }: Input): boolean {
    return this.expected !== REQUEST_LINE || (!empty && bytes[start] !== CR);
  }

  text(bytes: Uint8Array, start: number, end: number): string {
    return end > start ? this.decoder.decode(bytes.subarray(start, end)) : "";
  }

  keep(bytes: number): Problem {
    return (this.keptBytes += bytes) > MAX_KEPT_BYTES ? FIELDS_TOO_LARGE : undefined;
  }

  /** Takes the complete lines of `input`, up to the end of the head. Returns the error. */
  read(input: Input): Problem {
    while (this.expected !== NONE && !input.empty) {
      const first = this.expected === REQUEST_LINE;
      const end = input.lineEnd(first ? MAX_REQUEST_LINE_BYTES : MAX_HEADER_LINE_BYTES);
      if (end < 0) {
        if (end === TOO_LONG) return first ? REQUEST_LINE_TOO_LONG : FIELDS_TOO_LARGE;
        if (end === BROKEN_LINE) return BARE_CARRIAGE_RETURN;
        return first ? problemOfStart(input) : undefined;
      }
      const problem = this.takeLine(input.bytes, input.start, end);
      input.start = end;
      if (problem) return problem;
      input.skipLine(end);
    }
    return undefined;
  }

  /** Takes the line from `start` to `end`, without its line end. */
  private takeLine(bytes: Uint8Array, start: number, end: number): Problem {
    if (this.expected === REQUEST_LINE) {
      if (start === end) return ++this.emptyLines > MAX_EMPTY_LINES ? MALFORMED_REQUEST_LINE : undefined;
      this.expected = FIELD_LINE;
      return parseRequestLine(this, bytes, start, end);
    }
    if (start < end) return this.takeField(bytes, start, end);
    const trailers = this.expected === TRAILER_LINE;
    this.expected = NONE;
    return trailers ? undefined : this.check();
  }

  private takeField(bytes: Uint8Array, start: number, end: number): Problem {
    if (isBlank(bytes[start])) return FOLDED_LINE;
    if (++this.fields > MAX_HEADER_COUNT) return TOO_MANY_FIELDS;
    if ((this.fieldBytes += end - start) > MAX_HEADER_BYTES) return FIELDS_TOO_LARGE;
    const nameEnd = runEnd(bytes, start, end, TOKEN);
    if (nameEnd === start || bytes[nameEnd] !== COLON) return MALFORMED_FIELD;
    const from = skipBlanks(bytes, nameEnd + 1, end);
    if (runEnd(bytes, from, end, VALUE) < end) return MALFORMED_FIELD;
    if (this.expected === TRAILER_LINE) return undefined;
    const field = findField(bytes, start, nameEnd - start);
    return field === UNKNOWN_FIELD ? undefined : this.takeValue(field, bytes, from, trimBlanks(bytes, from, end));
  }

  private takeValue(field: number, bytes: Uint8Array, start: number, end: number): Problem {
    const { head } = this;
    const repeated = this.has(field);
    if (repeated && !isList(field)) return REPEATED_FIELD;
    this.seen |= 1 << field;
    switch (field) {
      case CONNECTION:
        this.options |= connectionOptions(bytes, start, end);
        return undefined;
      case EXPECT:
        head.asksContinue = expectsContinue(bytes, start, end);
        return undefined;
      case TRANSFER_ENCODING:
        this.coding = codingOf(bytes, start, end);
        return undefined;
      case CONTENT_LENGTH:
        head.contentLength = contentLengthOf(bytes, start, end);
        if (head.contentLength < 0) return MALFORMED_CONTENT_LENGTH;
        break;
      case HOST:
        if (!isAuthority(bytes, start, end)) return MALFORMED_HOST;
        break;
      default:
    }
    return this.keepValue(field, bytes, start, end, repeated);
  }

  private keepValue(field: number, bytes: Uint8Array, start: number, end: number, repeated: boolean): Problem {
    const problem = this.keep(end - start);
    if (problem) return problem;
    const { values } = this.head;
    let value = this.text(bytes, start, end);
    if (repeated) {
      // Both the lines and their combined value are in memory at once.
      const first = values[field] as string;
      value = `${first}${field === COOKIE ? "; " : ", "}${value}`;
      values[field] = value;
      return this.keep(first.length + 2 + end - start);
    }
    values[field] = value;
    return undefined;
  }

  /** Validates the combination of fields. */
  private check(): Problem {
    const { coding, head, options, targetHost } = this;
    const old = head.minor === 0;
    head.chunked = coding !== CODING_NONE;
    head.persistent = !(options & ASKS_CLOSE) && (!old || (options & ASKS_KEEP_ALIVE) !== 0);
    if (!old && !this.has(HOST)) return MISSING_HOST;
    if (targetHost !== undefined) head.values[HOST] = targetHost;
    if (head.chunked) {
      if (old) return CODING_IN_HTTP_1_0;
      if (this.has(CONTENT_LENGTH)) return LENGTH_WITH_CODING;
      if (coding === CODING_BAD) return MALFORMED_CODING;
      if (coding === CODING_UNKNOWN) return UNKNOWN_CODING;
    }
    // RFC 9110 section 10.1.1: the expectation is ignored in an HTTP/1.0 request.
    if (old) head.asksContinue = false;
    else if (this.has(EXPECT) && !head.asksContinue) return UNKNOWN_EXPECTATION;
    return undefined;
  }

  private has(field: number): boolean {
    return ((this.seen >> field) & 1) !== 0;
  }
}

/** A client of another protocol, such as TLS, may never send a line end. */
function problemOfStart({ bytes, start }: Input): Problem {
  return bytes[start] === CR || runEnd(bytes, start, start + 1, TOKEN) > start ? undefined : MALFORMED_REQUEST_LINE;
}
