import { CR, hexDigit, LF, runEnd, SEMICOLON, skipBlanks, VALUE } from "./characters";
import type { ClientSocket } from "./client-socket";
import { LONGEST } from "./field-values";
import type { HeadParser } from "./head-parser";
import { INCOMPLETE, type Input } from "./input";
import {
  MAX_BODY_BYTES,
  MAX_CHUNK_EXTENSION_BYTES,
  MAX_CHUNK_SIZE_DIGITS,
  MAX_DRAIN_BYTES,
  STREAM_STALL_BYTES,
} from "./limits";
import { MALFORMED_CHUNKS, type Problem } from "./problems";
import type { RequestHead } from "./request-head";
import { CONTINUE } from "./response-frame";
import type { Service } from "./service";
import type { BodySink } from "./types";

/** The next part expected of a body, RFC 9112 sections 6.2 and 7.1. */
const NOTHING = 0;
const FIXED_LENGTH = 1;
const CHUNK_SIZE = 2;
const CHUNK_DATA = 3;
const CHUNK_END = 4;
const TRAILERS = 5;

/** Progress of a body. */
export const WAITING = 0;
export const COMPLETE = 1;
export const MALFORMED = 2;
export const GONE = 3;

export type BodyCallback = (body: Uint8Array | undefined) => void;

/** Buffers a body of at most `length` bytes and passes it to `done` when it is complete. */
class Collector implements BodySink {
  private readonly bytes: Uint8Array;
  private readonly done: BodyCallback;
  private length = 0;

  constructor(length: number, done: BodyCallback) {
    this.bytes = new Uint8Array(length);
    this.done = done;
  }

  write(bytes: Uint8Array): boolean {
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
    return true;
  }

  end(whole: boolean): void {
    this.done(whole ? this.bytes.subarray(0, this.length) : undefined);
  }

  abort(): void {
    // No callback: the server answers the request itself, or the client has gone.
  }
}

/** The connection, as a body sees it. */
export interface BodyOwner {
  readonly service: Service;
  readonly socket: ClientSocket;
  readonly input: Input;
  /** Reads more into `input`. Returns the bytes read, or -1 if the connection has closed. */
  fill(): number;
}

/** A request's body: passed on up to a limit, or dropped. Created if the request has one or its handler asks for it. */
export class RequestBody {
  /** Longer than its limit. */
  oversize = false;
  /** The sink cannot take more at the moment. */
  blocked = false;
  problem: Problem;
  private readonly owner: BodyOwner;
  /** Of a chunked body: its trailers belong to the head. */
  private readonly parser: HeadParser | undefined;
  private expected = NOTHING;
  /** Bytes left of the body or of the current chunk. */
  private left = 0;
  private extensionBytes = 0;
  private sink: BodySink | undefined;
  private limit = 0;
  /** Bytes passed to `sink`, and their number when it last made progress. */
  private taken = 0;
  private mark = 0;
  private wanted = false;
  private continueDue: boolean;

  /** `parser` has read the head. */
  constructor(owner: BodyOwner, { chunked, contentLength, asksContinue }: RequestHead, parser?: HeadParser) {
    this.owner = owner;
    this.parser = parser;
    this.continueDue = asksContinue;
    if (chunked) this.expected = CHUNK_SIZE;
    else if (contentLength > 0) {
      this.left = contentLength;
      this.expected = FIXED_LENGTH;
    }
  }

  get ended(): boolean {
    return this.expected === NOTHING;
  }

  /** Bytes left; -1 if unknown. */
  get bytesLeft(): number {
    if (this.expected === FIXED_LENGTH) return this.left;
    return this.expected === NOTHING ? 0 : -1;
  }

  /** Collects the whole body. */
  receive(limit: number, done: BodyCallback): void {
    const most = Math.max(0, Math.min(limit, MAX_BODY_BYTES));
    const { bytesLeft } = this;
    const length = bytesLeft < 0 ? most : bytesLeft;
    this.stream(most, new Collector(length > most ? 0 : length, done));
    // All of it must arrive within BODY_TIME_MS: progress does not restart the time-out.
    this.mark = LONGEST;
  }

  /** Streams the body to `sink`. */
  stream(limit: number, sink: BodySink): void {
    if (this.wanted) throw new Error("http-server: body requested twice");
    this.wanted = true;
    this.sink = sink;
    // LONGEST may be a clamped length.
    this.limit = Math.max(0, Math.min(limit, LONGEST - 1));
    this.taken = this.mark = 0;
    this.oversize = this.expected === FIXED_LENGTH && this.left > this.limit;
  }

  /** True once for every STREAM_STALL_BYTES of progress. */
  hasMoved(): boolean {
    if (this.taken - this.mark < STREAM_STALL_BYTES) return false;
    this.mark = this.taken;
    return true;
  }

  /** The body is no longer wanted. */
  cancel(): void {
    try {
      this.release()?.abort();
    } catch (error) {
      this.owner.service.fault(error);
    }
  }

  /** Ends the sink: everything wanted has been read. Throws what the sink throws. */
  deliver(): void {
    const whole = !this.oversize;
    this.release()?.end(whole);
  }

  /**
   * Whether the connection can be kept although the rest is unwanted: only if the rest is short and certain to come. Independent of how
   * much has already arrived.
   */
  get droppable(): boolean {
    const { bytesLeft } = this;
    return bytesLeft === 0 || (bytesLeft > 0 && bytesLeft <= MAX_DRAIN_BYTES && !this.continueDue);
  }

  /** Reads until the body ends or exceeds its limit. Returns the progress. Throws what the sink throws. */
  advance(): number {
    const { owner } = this;
    for (;;) {
      if (!owner.input.empty) this.continueDue = false;
      this.problem = this.take();
      if (this.problem) return MALFORMED;
      if (this.ended || this.oversize) return COMPLETE;
      if (this.blocked) return WAITING;
      const filled = owner.fill();
      if (filled < 0) return GONE;
      if (!filled) return this.continueDue ? this.sendContinue() : WAITING;
    }
  }

  /** Consumes `input` as far as the sink takes it. Returns the error. */
  private take(): Problem {
    const { input } = this.owner;
    while (!input.empty && !this.ended && !this.oversize && !this.blocked) {
      const before = input.start;
      const problem = this.step();
      if (problem) return problem;
      if (input.start === before) break;
    }
    return undefined;
  }

  private step(): Problem {
    switch (this.expected) {
      case CHUNK_SIZE:
        return this.takeSize();
      case CHUNK_END:
        return this.takeChunkEnd();
      case TRAILERS: {
        const parser = this.parser as HeadParser;
        const problem = parser.read(this.owner.input);
        if (parser.complete) this.expected = NOTHING;
        return problem;
      }
      default:
        return this.takeData();
    }
  }

  private takeData(): Problem {
    const { sink } = this;
    const { input } = this.owner;
    const length = Math.min(input.end - input.start, this.left);
    if (sink) {
      this.blocked = !sink.write(input.bytes.subarray(input.start, input.start + length));
      if (this.blocked) return undefined;
      this.taken += length;
    }
    input.start += length;
    this.left -= length;
    if (!this.left) this.expected = this.expected === FIXED_LENGTH ? NOTHING : CHUNK_END;
    return undefined;
  }

  /** `size [ extensions ] CRLF`, RFC 9112 section 7.1.1: blanks, a semicolon, then anything that a field value may have. */
  private takeSize(): Problem {
    const { input } = this.owner;
    const end = input.lineEnd(MAX_CHUNK_SIZE_DIGITS + MAX_CHUNK_EXTENSION_BYTES);
    if (end < 0) return end === INCOMPLETE ? undefined : MALFORMED_CHUNKS;
    const { bytes, start } = input;
    let at = start;
    let size = 0;
    for (let digit = hexDigit(bytes[at] as number); digit >= 0; digit = hexDigit(bytes[++at] as number))
      size = size * 16 + digit;
    if (at === start || at - start > MAX_CHUNK_SIZE_DIGITS) return MALFORMED_CHUNKS;
    if (at < end) {
      this.extensionBytes += end - at;
      const wellFormed = bytes[skipBlanks(bytes, at, end)] === SEMICOLON && runEnd(bytes, at, end, VALUE) === end;
      if (!wellFormed || this.extensionBytes > MAX_CHUNK_EXTENSION_BYTES) return MALFORMED_CHUNKS;
    }
    input.skipLine(end);
    this.left = size;
    this.expected = size ? CHUNK_DATA : TRAILERS;
    if (!size) this.parser?.beginTrailers();
    else if (this.sink) this.oversize = this.taken + size > this.limit;
    return undefined;
  }

  private takeChunkEnd(): Problem {
    const { input } = this.owner;
    const { bytes, start, end } = input;
    if (bytes[start] !== CR) return MALFORMED_CHUNKS;
    if (end - start < 2) return undefined;
    if (bytes[start + 1] !== LF) return MALFORMED_CHUNKS;
    input.start += 2;
    this.expected = CHUNK_SIZE;
    return undefined;
  }

  private sendContinue(): number {
    const { socket } = this.owner;
    if (!socket.hasRoom(CONTINUE.length) || !socket.share) return WAITING;
    this.continueDue = false;
    return socket.write(CONTINUE) ? WAITING : GONE;
  }

  private release(): BodySink | undefined {
    const { sink } = this;
    this.sink = undefined;
    this.oversize = this.blocked = false;
    return sink;
  }
}
