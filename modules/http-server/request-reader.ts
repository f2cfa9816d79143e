import type TextDecoder from "text/decoder";
import { BodyReader } from "./body-reader";
import type { Channel } from "./channel";
import { ACCEPT_ENCODING, fieldNumber, IF_NONE_MATCH } from "./fields";
import { BUFFER_BYTES, HeadParser, INPUT_START } from "./head-parser";
import { INPUT_BYTES, MAX_BODY_BYTES, MAX_KEPT_BYTES } from "./limits";
import { acceptsGzip, matchesEtag } from "./negotiation";
import { GET, HEAD, RequestHead } from "./request-head";
import type { KeptHeader } from "./types";

/** A connection's buffer and those who read requests in it. All texts are made when they are asked for. */
export class RequestReader {
  readonly #bytes = new Uint8Array(BUFFER_BYTES);
  readonly #decoder: TextDecoder;
  readonly head = new RequestHead(this.#bytes);
  readonly #parser = new HeadParser(this.#bytes, this.head);
  readonly body = new BodyReader(this.#bytes, this.head, this.#parser);
  /** The bytes of the input that are not used yet. */
  #at = 0;
  #end = 0;

  constructor(decoder: TextDecoder) {
    this.#decoder = decoder;
  }

  /** Forgets what is in the buffer: another connection begins. */
  clear(): void {
    this.#at = this.#end = 0;
    this.next();
  }

  /** The next request begins with what is in the buffer. */
  next(): void {
    this.#parser.reset();
  }

  /** There are bytes that have been read and not used. */
  get buffered(): boolean {
    return this.#at < this.#end;
  }

  /** The request line has begun. */
  get begun(): boolean {
    return this.#parser.begun;
  }

  /** Sees to it that there is something in the buffer: the bytes there, 0 when none have come, -1 when the connection has gone. */
  fill(channel: Channel): number {
    if (this.#at === this.#end) {
      const length = Math.min(channel.readable, INPUT_BYTES);
      if (!length) return 0;
      if (!channel.read(this.#bytes.subarray(INPUT_START, INPUT_START + length))) return -1;
      this.#at = INPUT_START;
      this.#end = INPUT_START + length;
    }
    return this.#end - this.#at;
  }

  /** Goes on with the head. True: it is complete. What is wrong with it is the head's `status`. */
  readHead(): boolean {
    this.#at = this.#parser.parse(this.#at, this.#end);
    if (!this.#parser.complete) return false;
    this.body.begin();
    return true;
  }

  /** Goes on with the body and answers the bytes used. What is wrong with it is the head's `status`. */
  readBody(): number {
    const before = this.#at;
    this.#at = this.body.feed(before, this.#end);
    return this.#at - before;
  }

  /** Throws away what is in the buffer and answers how much it was. */
  discard(): number {
    const length = this.#end - this.#at;
    this.#at = this.#end;
    return length;
  }

  /** Finds room for a body of at most `limit` bytes: nearly always what the head has left of the buffer is enough. */
  collect(limit: number): void {
    const cap = Math.max(0, Math.min(limit, MAX_BODY_BYTES));
    const { left } = this.body;
    const needed = left >= 0 ? Math.min(left, cap) : cap;
    const start = this.head.used;
    if (start + needed <= MAX_KEPT_BYTES) this.body.collect(this.#bytes, start, cap);
    else this.body.collect(new Uint8Array(needed), 0, cap);
  }

  get method(): string {
    return this.head.knownMethod ?? this.text(0, this.head.methodEnd);
  }

  /** An empty path, which only an absolute target can have, stands for "/" (RFC 9110 section 4.2.3). */
  get path(): string {
    return this.text(this.head.pathStart, this.head.pathEnd) || "/";
  }

  get query(): string {
    return this.text(this.head.pathEnd + 1, this.head.queryEnd);
  }

  header(name: KeptHeader): string | undefined {
    const field = fieldNumber(name);
    const start = this.head.valueStart(field);
    return start ? this.text(start, this.head.valueEnd(field)) : undefined;
  }

  get acceptsGzip(): boolean {
    const start = this.head.valueStart(ACCEPT_ENCODING);
    return !start || acceptsGzip(this.#bytes, start, this.head.valueEnd(ACCEPT_ENCODING));
  }

  /** The client has what `etag` names. */
  has(etag: string): boolean {
    const { head } = this;
    const start = head.valueStart(IF_NONE_MATCH);
    if (!start || !(head.isMethod(GET) || head.isMethod(HEAD))) return false;
    return matchesEtag(this.#bytes, start, head.valueEnd(IF_NONE_MATCH), etag);
  }

  private text(start: number, end: number): string {
    return end > start ? this.#decoder.decode(this.#bytes.subarray(start, end)) : "";
  }
}
