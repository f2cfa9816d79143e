import { CR, tokenEnd } from "./characters";
import { BROKEN_LINE, type Input, TOO_LONG } from "./input";
import { MAX_HEADER_LINE_BYTES, MAX_REMEMBERED_BYTES, MAX_REQUEST_LINE_BYTES } from "./limits";
import { BARE_CARRIAGE_RETURN, FIELDS_TOO_LARGE, MALFORMED_REQUEST_LINE, REQUEST_LINE_TOO_LONG } from "./problems";
import { RequestHead } from "./request-head";
import type { Service } from "./service";

/** The requests that come in on a connection, as far as their heads: each is read into the same `head`. */
export class Request {
  readonly head: RequestHead;
  /** See Exchange.memo. */
  memo: unknown;
  private readonly input: Input;
  private readonly service: Service;
  /** Nothing of the head has been read: what there is in `head` is the last request's. */
  fresh = true;
  /** The last head, when it came in one piece, and its bytes: a client that polls sends the same again. */
  private last: string | undefined;
  private lastBytes = 0;
  /** This connection has had a request: who sends only one does not pay for its being remembered. */
  private second = false;

  constructor(service: Service, input: Input) {
    this.service = service;
    this.input = input;
    this.head = new RequestHead(service.decoder);
  }

  /** Another connection begins. */
  clear(): void {
    this.forget();
    this.second = false;
    this.fresh = true;
  }

  /** The head is complete; what comes next is another one. */
  next(): void {
    this.fresh = true;
    this.second = true;
  }

  /** Goes on with the head. Returns what is wrong with it, a number of problems.ts; 0 for nothing. */
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

  /** More than empty lines has come. */
  get begun(): boolean {
    const { head, input } = this;
    return !head.expectsRequestLine || (!input.empty && input.bytes[input.start] !== CR);
  }

  /**
   * What has come is the last head again: all that was made of it is still there. The texts are compared because XS does that natively;
   * they are as long as the bytes, so these differ at most in what is not UTF-8, for which the handler sees the same text as well.
   */
  private repeats(): boolean {
    const { input, last, lastBytes } = this;
    return last !== undefined && input.start === 0 && input.end >= lastBytes && this.text(lastBytes) === last;
  }

  /** The head that ends at `start`. Trailers of a chunked body would count for the next request as well. */
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

/** Hands the whole lines of `input` to `head`, up to its last one. Returns what is wrong, a number of problems.ts; 0 for nothing. */
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

/** A client that speaks another protocol, TLS for one, may never send a line's end. */
function problemOfStart({ bytes, start }: Input): number {
  return bytes[start] === CR || tokenEnd(bytes, start, start + 1) > start ? 0 : MALFORMED_REQUEST_LINE;
}
