import { CR, tokenEnd } from "./characters";
import { BROKEN_LINE, type Input, TOO_LONG } from "./input";
import { MAX_HEADER_LINE_BYTES, MAX_REMEMBERED_BYTES, MAX_REQUEST_LINE_BYTES } from "./limits";
import { BARE_CARRIAGE_RETURN, FIELDS_TOO_LARGE, MALFORMED_REQUEST_LINE, REQUEST_LINE_TOO_LONG } from "./problems";
import { RequestHead } from "./request-head";
import type { Service } from "./service";

/** Reads a connection's request heads, each into the same `head`. */
export class Request {
  readonly head: RequestHead;
  /** See Exchange.memo. */
  memo: unknown;
  private readonly input: Input;
  private readonly service: Service;
  /** Nothing of the new head has been read: `head` still holds the last request's. */
  fresh = true;
  /** The last head, if it came in one piece, and its length: a client that polls sends the same again. */
  private last: string | undefined;
  private lastBytes = 0;
  /** This connection has had a request: nothing is remembered for a client that sends only one. */
  private second = false;

  constructor(service: Service, input: Input) {
    this.service = service;
    this.input = input;
    this.head = new RequestHead(service.decoder);
  }

  /** Prepares for another connection. */
  clear(): void {
    this.forget();
    this.second = false;
    this.fresh = true;
  }

  /** The head is complete; another one follows. */
  next(): void {
    this.fresh = true;
    this.second = true;
  }

  /** Continues with the head. Returns the error, a number of problems.ts; 0 for none. */
  readHead(): number {
    const { head, input } = this;
    const { fresh } = this;
    if (fresh) {
      if (this.repeats()) {
        this.fresh = false;
        input.start = this.lastBytes;
        return 0;
      }
      this.fresh = false;
      this.forget();
      head.reset();
    }
    const whole = fresh && input.start === 0;
    const problem = readLines(head, input);
    if (whole && this.second && head.complete && !head.chunked) this.remember();
    return problem;
  }

  /** More than empty lines has arrived. */
  get begun(): boolean {
    const { head, input } = this;
    return !head.expectsRequestLine || (!input.empty && input.bytes[input.start] !== CR);
  }

  /**
   * The last head has come again, so everything parsed from it is still valid. Strings are compared because XS does that natively. They are
   * as long as the bytes, so different heads can only compare equal where they are not UTF-8, and there the handler would see the same text
   * anyway.
   */
  private repeats(): boolean {
    const { input, last, lastBytes } = this;
    return last !== undefined && input.start === 0 && input.end >= lastBytes && this.text(lastBytes) === last;
  }

  /** Remembers the head that ends at `start`; not if it is chunked, since the trailers would count for the next request too. */
  private remember(): void {
    const { start } = this.input;
    if (start > MAX_REMEMBERED_BYTES) return;
    this.last = this.text(start);
    this.lastBytes = start;
  }

  private text(end: number): string {
    return this.service.decoder.decode(this.input.bytes.subarray(0, end));
  }

  private forget(): void {
    this.last = this.memo = undefined;
  }
}

/** Passes the complete lines of `input` to `head`, up to the end of the head. Returns the error, a number of problems.ts; 0 for none. */
export function readLines(head: RequestHead, input: Input): number {
  while (!head.complete && !input.empty) {
    const first = head.expectsRequestLine;
    const end = input.lineEnd(first ? MAX_REQUEST_LINE_BYTES : MAX_HEADER_LINE_BYTES);
    if (end < 0) {
      if (end === TOO_LONG) return first ? REQUEST_LINE_TOO_LONG : FIELDS_TOO_LARGE;
      if (end === BROKEN_LINE) return BARE_CARRIAGE_RETURN;
      return first ? problemOfStart(input) : 0;
    }
    const problem = head.takeLine(input.bytes, input.start, end);
    input.start = end;
    if (problem) return problem;
    input.skipLine(end);
  }
  return 0;
}

/** A client of another protocol, such as TLS, may never send a line end. */
function problemOfStart({ bytes, start }: Input): number {
  return bytes[start] === CR || tokenEnd(bytes, start, start + 1) > start ? 0 : MALFORMED_REQUEST_LINE;
}
