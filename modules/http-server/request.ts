import { beginBody, hasBody } from "./body-reader";
import { Channel } from "./channel";
import { ACCEPT_ENCODING, fieldNumber, IF_NONE_MATCH } from "./fields";
import { awaitHead, awaitsHead, headHasBegun, headIsComplete, parseHead, repeatHead } from "./head-parser";
import { INPUT_BYTES } from "./limits";
import { INPUT_START, makeMemory, type Memory } from "./memory";
import { acceptsGzip, matchesEtag } from "./negotiation";
import {
  INPUT_AT,
  INPUT_END,
  METHOD_END,
  type Numbers,
  PATH_END,
  PATH_START,
  PROBLEM,
  QUERY_END,
  READABLE,
  REQUESTS,
} from "./numbers";
import { GET, HEAD, isMethod, knownMethod, valueEnd, valueStart } from "./request-head";
import type { Service } from "./service";
import type { BodySink, KeptHeader } from "./types";

/** A connection's memory and the requests that come in there, one after another. All texts are made when they are asked for. */
export class Request implements Memory {
  readonly bytes: Uint8Array;
  readonly numbers: Numbers;
  readonly channel: Channel;
  readonly service: Service;
  /** Who takes the body: see upload.ts. */
  sink: BodySink | undefined;
  /** A head that has come in one piece, without a body, and its path: the next one is mostly the same when a client polls. */
  private lastHead: string | undefined;
  private lastPath: string | undefined;

  constructor(service: Service) {
    const { bytes, numbers } = makeMemory();
    this.bytes = bytes;
    this.numbers = numbers;
    this.channel = new Channel(numbers);
    this.service = service;
  }

  /** Forgets what is in the buffer: another connection begins. */
  clear(): void {
    this.discard();
    this.forget();
    this.next();
  }

  /** The next request begins with what is in the buffer. */
  next(): void {
    awaitHead(this.numbers);
  }

  /** There are bytes that have been read and not used, or that can be read. */
  get unread(): boolean {
    const { numbers } = this;
    return numbers[INPUT_AT] < numbers[INPUT_END] || numbers[READABLE] > 0;
  }

  /** The request line has begun. */
  get begun(): boolean {
    return headHasBegun(this.numbers);
  }

  /** What is wrong with it, a number of problems.ts; 0 while nothing is. */
  get problem(): number {
    return this.numbers[PROBLEM];
  }

  /** Sees to it that there is something in the buffer: the bytes there, 0 when none have come, -1 when the connection has gone. */
  fill(): number {
    const { numbers } = this;
    if (numbers[INPUT_AT] === numbers[INPUT_END]) {
      const length = Math.min(numbers[READABLE], INPUT_BYTES);
      if (!length) return 0;
      if (!this.channel.read(this.bytes.subarray(INPUT_START, INPUT_START + length))) return -1;
      numbers[INPUT_AT] = INPUT_START;
      numbers[INPUT_END] = INPUT_START + length;
    }
    return numbers[INPUT_END] - numbers[INPUT_AT];
  }

  /** Goes on with the head. True: it is complete. */
  readHead(): boolean {
    const { numbers } = this;
    const first = awaitsHead(numbers);
    if (first && this.repeats()) {
      repeatHead(numbers);
      numbers[INPUT_AT] = numbers[INPUT_END];
    } else {
      this.forget();
      const start = numbers[INPUT_AT];
      numbers[INPUT_AT] = parseHead(this, start, numbers[INPUT_END]);
      if (!headIsComplete(numbers)) return false;
      if (first && start === INPUT_START) this.remember();
    }
    beginBody(numbers);
    return true;
  }

  /**
   * What has come is the last head again: all that was made of it is still there. The texts are compared because XS does that natively;
   * they are as long as the bytes, so these differ at most in what is no UTF-8, for which the handler sees the same text as well.
   */
  private repeats(): boolean {
    const { numbers, lastHead } = this;
    return (
      lastHead !== undefined &&
      numbers[INPUT_AT] === INPUT_START &&
      numbers[INPUT_END] - INPUT_START === lastHead.length &&
      this.text(INPUT_START, numbers[INPUT_END]) === lastHead
    );
  }

  /** Who asks only once on a connection does not pay for it. */
  private remember(): void {
    const { numbers } = this;
    if (!numbers[REQUESTS] || numbers[INPUT_AT] !== numbers[INPUT_END] || hasBody(numbers)) return;
    this.lastHead = this.text(INPUT_START, numbers[INPUT_END]);
  }

  private forget(): void {
    this.lastHead = this.lastPath = undefined;
  }

  /** Throws away what is in the buffer and answers how much it was. */
  discard(): number {
    const { numbers } = this;
    const length = numbers[INPUT_END] - numbers[INPUT_AT];
    numbers[INPUT_AT] = numbers[INPUT_END];
    return length;
  }

  get method(): string {
    return knownMethod(this) ?? this.text(0, this.numbers[METHOD_END]);
  }

  /** An empty path, which only an absolute target can have, stands for "/" (RFC 9110 section 4.2.3). */
  get path(): string {
    return (this.lastPath ??= this.text(this.numbers[PATH_START], this.numbers[PATH_END]) || "/");
  }

  get query(): string {
    return this.text(this.numbers[PATH_END] + 1, this.numbers[QUERY_END]);
  }

  header(name: KeptHeader): string | undefined {
    const field = fieldNumber(name);
    const start = valueStart(this.numbers, field);
    return start ? this.text(start, valueEnd(this.numbers, field)) : undefined;
  }

  get acceptsGzip(): boolean {
    const start = valueStart(this.numbers, ACCEPT_ENCODING);
    return !start || acceptsGzip(this.bytes, start, valueEnd(this.numbers, ACCEPT_ENCODING));
  }

  /** The client has what `etag` names. */
  has(etag: string): boolean {
    const start = valueStart(this.numbers, IF_NONE_MATCH);
    if (!start || !(isMethod(this, GET) || isMethod(this, HEAD))) return false;
    return matchesEtag(this.bytes, start, valueEnd(this.numbers, IF_NONE_MATCH), etag);
  }

  private text(start: number, end: number): string {
    return end > start ? this.service.decoder.decode(this.bytes.subarray(start, end)) : "";
  }
}
