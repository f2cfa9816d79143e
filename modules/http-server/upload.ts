import type { Channel } from "./channel";
import { MAX_DRAIN_BYTES, STREAM_STALL_BYTES } from "./limits";
import type { RequestReader } from "./request-reader";
import type { ResponseFrame } from "./response-frame";
import type { Service } from "./service";
import type { BodySink } from "./types";

/** How far a body has come. */
export const WAITING = 0;
export const COMPLETE = 1;
export const MALFORMED = 2;
export const GONE = 3;

const CONTINUE_BYTES = 25;

export type BodyCallback = (body: Uint8Array | undefined) => void;

/** The body of the request under way: read for the handler, or dropped. */
export class Upload {
  readonly #request: RequestReader;
  readonly #channel: Channel;
  readonly #frame: ResponseFrame;
  #asked = false;
  #done: BodyCallback | undefined;
  #sink: BodySink | undefined;
  readonly #fault: (error: unknown) => void;
  /** How far it had come when it last counted as moving. */
  #mark = 0;
  /** The client waits for `100 Continue`. */
  #continueDue = false;

  constructor(request: RequestReader, channel: Channel, { frame, fault }: Service) {
    this.#request = request;
    this.#channel = channel;
    this.#frame = frame;
    this.#fault = fault;
  }

  /** The head is complete. */
  begin(): void {
    this.#asked = false;
    this.#continueDue = this.#request.head.expectsContinue;
  }

  /** The handler wants it. */
  receive(limit: number, done: BodyCallback): void {
    if (this.#asked) throw new Error("http-server: the body is asked for twice");
    this.#asked = true;
    this.#request.collect(limit);
    this.#done = done;
  }

  /** The handler wants it piece by piece. */
  stream(limit: number, sink: BodySink): void {
    if (this.#asked) throw new Error("http-server: the body is asked for twice");
    this.#asked = true;
    this.#request.body.stream(sink, limit);
    this.#sink = sink;
    this.#mark = 0;
  }

  /** It goes to a sink and has moved on since the last time that this was true. */
  moved(): boolean {
    const { streamed } = this.#request.body;
    if (!this.#sink || streamed - this.#mark < STREAM_STALL_BYTES) return false;
    this.#mark = streamed;
    return true;
  }

  /** It waits for the handler. */
  get blocked(): boolean {
    return this.#request.body.blocked;
  }

  /** The handler goes on. */
  unblock(): void {
    this.#request.body.unblock();
  }

  /** Nobody wants it any more. */
  cancel(): void {
    const sink = this.#sink;
    this.#sink = this.#done = undefined;
    this.#request.body.drop();
    try {
      sink?.abort();
    } catch (error) {
      this.#fault(error);
    }
  }

  /** Reads on, until it has ended or is longer than the handler's limit. */
  read(): number {
    const { body, head } = this.#request;
    while (!body.ended && !body.oversize) {
      const bytes = this.#request.fill(this.#channel);
      if (bytes < 0) return GONE;
      if (!bytes) return this.#continueDue ? this.sendContinue() : WAITING;
      this.#continueDue = false;
      this.#request.readBody();
      if (head.status) return MALFORMED;
      if (body.blocked) return WAITING;
    }
    return COMPLETE;
  }

  /** Gives it to the handler. Throws what the handler throws. */
  deliver(): void {
    const { body } = this.#request;
    const { oversize } = body;
    const sink = this.#sink;
    const done = this.#done;
    const bytes = oversize || sink ? undefined : body.bytes;
    this.#sink = undefined;
    this.cancel();
    done?.(bytes);
    sink?.end(!oversize);
  }

  /**
   * The response is known: the rest of the body is not wanted. Tells whether the connection may go on, which it may when the rest is
   * short and sure to come. It does not depend on what happens to have come already.
   */
  settle(): boolean {
    this.cancel();
    const { body } = this.#request;
    return body.ended || (!this.#continueDue && body.left >= 0 && body.left <= MAX_DRAIN_BYTES);
  }

  private sendContinue(): number {
    if (this.#frame.busy || !this.#channel.hasRoom(CONTINUE_BYTES)) return WAITING;
    this.#continueDue = false;
    return this.#channel.write(this.#frame.continue()) ? WAITING : GONE;
  }
}
