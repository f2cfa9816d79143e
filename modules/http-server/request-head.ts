import {
  ascii,
  COMMA,
  elementEnd,
  equals,
  equalsIgnoringCase,
  isAuthority,
  isDigit,
  QUESTION,
  SEMICOLON,
  skipBlanks,
  SLASH,
  SPACE,
  trimBlanks,
} from "./characters";
import {
  CONNECTION,
  CONTENT_LENGTH,
  COOKIE,
  EXPECT,
  HOST,
  isList,
  KEPT_FIELDS,
  TRANSFER_ENCODING,
  UNKNOWN_FIELD,
} from "./fields";
import { MAX_CONTENT_LENGTH_DIGITS, MAX_KEPT_BYTES } from "./limits";

/** So that the usual methods cost no string each. */
const METHODS: readonly string[] = Object.freeze(["GET", "POST", "OPTIONS", "HEAD", "PUT", "DELETE", "PATCH"], true);
const METHOD_BYTES: readonly Uint8Array[] = Object.freeze(METHODS.map(ascii), true);
export const GET = 0;
export const OPTIONS = 2;
export const HEAD = 3;

const CONNECT = ascii("CONNECT");
const CLOSE = ascii("close");
const KEEP_ALIVE = ascii("keep-alive");
const CHUNKED = ascii("chunked");
const CONTINUE = ascii("100-continue");
const STAR = ascii("*");
const HTTP = ascii("http://");
const HTTPS = ascii("https://");

/** What a Transfer-Encoding asks for. */
const CODING_NONE = 0;
const CODING_CHUNKED = 1;
const CODING_UNKNOWN = 2;
const CODING_BAD = 3;

/**
 * What is kept of a request's head, in the first MAX_KEPT_BYTES of the connection's buffer: method, target and the values of the kept
 * fields, one after another, made into strings only when they are asked for. And the rules that a head must obey as a whole.
 */
export class RequestHead {
  readonly #bytes: Uint8Array;
  /** Start and end of each kept field's value. A value never starts at 0, so 0 is "not there". */
  readonly #values = new Uint16Array(2 * KEPT_FIELDS);
  #seen = 0;
  #coding = CODING_NONE;
  #close = false;
  #keepAlive = false;
  #expects = false;
  #pathStart = 0;
  #pathEnd = 0;
  #queryEnd = 0;
  /** Bytes kept so far. */
  used = 0;
  methodEnd = 0;
  targetEnd = 0;
  /** HTTP version. */
  major = 1;
  minor = 1;
  /** -1 without a Content-Length. */
  contentLength = -1;
  /** The status of what is wrong with the request, and what it is; 0 while nothing is. */
  status = 0;
  problem = "";

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  reset(): void {
    this.#values.fill(0);
    this.#seen = 0;
    this.#coding = CODING_NONE;
    this.#close = this.#keepAlive = this.#expects = false;
    this.used = this.methodEnd = this.targetEnd = 0;
    this.major = this.minor = 1;
    this.contentLength = -1;
    this.status = 0;
    this.problem = "";
  }

  get chunked(): boolean {
    return this.#coding === CODING_CHUNKED;
  }

  /** The client waits for `100 Continue` before it sends the body. */
  get expectsContinue(): boolean {
    return this.#expects;
  }

  /** The connection may serve another request (RFC 9112 section 9.3). */
  get persistent(): boolean {
    return !this.#close && (this.minor > 0 || this.#keepAlive);
  }

  /** Where the path and the query are in the buffer; an empty path, which only an absolute target can have, stands for "/". */
  get pathStart(): number {
    return this.#pathStart;
  }

  get pathEnd(): number {
    return this.#pathEnd;
  }

  get queryEnd(): number {
    return this.#queryEnd;
  }

  /** The method, when it is one of the usual ones. */
  get knownMethod(): string | undefined {
    for (let method = 0; method < METHODS.length; method++) if (this.isMethod(method)) return METHODS[method];
    return undefined;
  }

  /** `method` is GET, OPTIONS or HEAD of the above. */
  isMethod(method: number): boolean {
    return equals(this.#bytes, 0, this.methodEnd, METHOD_BYTES[method] as Uint8Array);
  }

  /** Start of the value of a kept field, or 0 when the request has none. */
  valueStart(field: number): number {
    return this.#values[2 * field] ?? 0;
  }

  valueEnd(field: number): number {
    return this.#values[2 * field + 1] ?? 0;
  }

  fail(status: number, problem: string): void {
    this.status = status;
    this.problem = problem;
  }

  /** Keeps the bytes of the buffer from `from` to `to`. */
  keep(from: number, to: number): void {
    if (this.used + to - from > MAX_KEPT_BYTES) this.fail(431, "Request header fields too large.");
    else {
      this.#bytes.copyWithin(this.used, from, to);
      this.used += to - from;
    }
  }

  /** A whole field line is there; its value was kept from `start` on. */
  field(field: number, start: number): void {
    if (field === UNKNOWN_FIELD) return;
    const repeated = (this.#seen >> field) & 1;
    this.#seen |= 1 << field;
    if (repeated && !isList(field)) return this.fail(400, "Repeated header field.");
    this.used = trimBlanks(this.#bytes, start, this.used);
    if (field < KEPT_FIELDS) {
      if (repeated) start = this.join(field, start);
      if (this.status) return;
      this.#values[2 * field] = start;
      this.#values[2 * field + 1] = this.used;
      if (field === CONTENT_LENGTH) this.parseContentLength(start);
      else if (field === HOST && !isAuthority(this.#bytes, start, this.used)) this.fail(400, "Malformed Host.");
      return;
    }
    if (field === CONNECTION) this.parseConnection(start);
    else if (field === EXPECT) this.parseExpect(start);
    else if (field === TRANSFER_ENCODING) this.parseTransferEncoding(start);
    this.used = start;
  }

  /** The head is complete: what its parts ask for together. */
  finish(): void {
    if (this.minor > 0 && !this.has(HOST)) return this.fail(400, "Missing Host.");
    if (this.#coding !== CODING_NONE) {
      if (this.minor === 0) return this.fail(400, "Transfer-Encoding in HTTP/1.0.");
      if (this.has(CONTENT_LENGTH)) return this.fail(400, "Content-Length with Transfer-Encoding.");
      if (this.#coding === CODING_BAD) return this.fail(400, "Malformed Transfer-Encoding.");
      if (this.#coding === CODING_UNKNOWN) return this.fail(501, "Unknown transfer coding.");
    }
    if (equals(this.#bytes, 0, this.methodEnd, CONNECT)) return this.fail(501, "This is no proxy.");
    this.parseTarget();
    // RFC 9110 section 10.1.1: in an HTTP/1.0 request the expectation is ignored.
    if (this.minor === 0) this.#expects = false;
    else if (!this.status && this.has(EXPECT) && !this.#expects) this.fail(417, "Unknown expectation.");
  }

  private has(field: number): boolean {
    return ((this.#seen >> field) & 1) !== 0;
  }

  /** Puts the earlier lines' value of a list, a separator and the new value together at the end of what is kept. */
  private join(field: number, start: number): number {
    const joined = this.used;
    const end = this.used;
    this.keep(this.valueStart(field), this.valueEnd(field));
    if (this.used + 2 > MAX_KEPT_BYTES) this.fail(431, "Request header fields too large.");
    if (this.status) return start;
    this.#bytes[this.used++] = field === COOKIE ? SEMICOLON : COMMA;
    this.#bytes[this.used++] = SPACE;
    this.keep(start, end);
    return joined;
  }

  private parseContentLength(start: number): void {
    const digits = this.used - start;
    let length = 0;
    for (let at = start; at < this.used; at++) {
      const byte = this.#bytes[at] as number;
      if (!isDigit(byte)) return this.fail(400, "Malformed Content-Length.");
      length = length * 10 + byte - 0x30;
    }
    if (!digits || digits > MAX_CONTENT_LENGTH_DIGITS) return this.fail(400, "Malformed Content-Length.");
    this.contentLength = length;
  }

  private parseConnection(start: number): void {
    const bytes = this.#bytes;
    for (let at = start; at < this.used; at++) {
      const end = elementEnd(bytes, at, this.used);
      at = skipBlanks(bytes, at, end);
      const last = trimBlanks(bytes, at, end);
      if (equalsIgnoringCase(bytes, at, last, CLOSE)) this.#close = true;
      else if (equalsIgnoringCase(bytes, at, last, KEEP_ALIVE)) this.#keepAlive = true;
      at = end;
    }
  }

  private parseExpect(start: number): void {
    this.#expects = equalsIgnoringCase(this.#bytes, start, this.used, CONTINUE);
  }

  /**
   * Only `chunked`, once, is understood. A body whose last coding is another one has no end that could be told, which RFC 9112 section
   * 6.3 answers with 400; a coding below `chunked` that is not known is 501 (section 6.1).
   */
  private parseTransferEncoding(start: number): void {
    const bytes = this.#bytes;
    let chunked = false;
    let unknown = false;
    this.#coding = CODING_BAD;
    for (let at = start; ; at++) {
      const end = elementEnd(bytes, at, this.used);
      at = skipBlanks(bytes, at, end);
      const last = trimBlanks(bytes, at, end);
      // Nothing may follow chunked, and no element may be empty.
      if (chunked || at === last) return;
      chunked = equalsIgnoringCase(bytes, at, last, CHUNKED);
      unknown ||= !chunked;
      if (end === this.used) break;
      at = end;
    }
    if (chunked) this.#coding = unknown ? CODING_UNKNOWN : CODING_CHUNKED;
  }

  /** The four forms of a request target, RFC 9112 section 3.2. */
  private parseTarget(): void {
    const bytes = this.#bytes;
    const end = this.targetEnd;
    let start = this.methodEnd;
    if (bytes[start] !== SLASH) {
      if (equals(bytes, start, end, STAR) && this.isMethod(OPTIONS)) {
        this.#pathStart = start;
        this.#pathEnd = this.#queryEnd = end;
        return;
      }
      const host = this.afterScheme(start, end);
      for (start = host; start < end && bytes[start] !== SLASH && bytes[start] !== QUESTION; start++);
      if (!host || !isAuthority(bytes, host, start)) return this.fail(400, "Malformed request target.");
      // RFC 9112 section 3.2.2: the target's authority stands for what the Host field says.
      this.#values[2 * HOST] = host;
      this.#values[2 * HOST + 1] = start;
    }
    this.#pathStart = start;
    while (start < end && bytes[start] !== QUESTION) start++;
    this.#pathEnd = start;
    this.#queryEnd = end;
  }

  /** Where the authority of an absolute http target begins, or 0. */
  private afterScheme(start: number, end: number): number {
    if (start + 8 <= end && equalsIgnoringCase(this.#bytes, start, start + 8, HTTPS)) return start + 8;
    if (start + 7 <= end && equalsIgnoringCase(this.#bytes, start, start + 7, HTTP)) return start + 7;
    return 0;
  }
}
