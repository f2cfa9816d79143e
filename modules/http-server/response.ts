import type { ClientSocket } from "./client-socket";
import { MAX_RESPONSE_HEAD_BYTES, MIN_SEND_BYTES, RESPONSE_BUFFER_BYTES } from "./limits";
import type { RequestHead } from "./request-head";
import { CHUNK_OVERHEAD, LAST_CHUNK, NO_LENGTH, type ResponseFrame } from "./response-frame";
import { isBodiless, OLD, PERSISTENT, SIZED, writeFields } from "./response-head";
import type { Service } from "./service";
import type { BodySource, HeaderLine, Render, StaticFile } from "./types";

/** Result of `send`: the response waits for the window or its source, or has ended. */
const WAITS = 0;
export const SENT = 1;
export const BROKEN = 2;
const MOVED = 3;

export const NO_HEADERS: readonly HeaderLine[] = Object.freeze([], true);

/** Framing of the body: Content-Length, chunks, or the end of the connection. */
const BY_LENGTH = 0;
const BY_CHUNK = 1;
const BY_CLOSE = 2;
/** In chunks, of which only the last is still to be sent. */
const BY_LAST_CHUNK = 3;

/** How far a response has come. */
const GIVEN = 0;
/** It is decided whether the connection closes after it. */
const SETTLED = 1;
/** The head has been built. */
const STARTED = 2;
/** Started; its source has no bytes at the moment. */
const DRY = 3;

type ResponseBody = Render | BodySource | StaticFile | undefined;

const isFile = (body: ResponseBody): body is StaticFile => typeof body === "object" && "gzip" in body;
const isSource = (body: ResponseBody): body is BodySource => typeof body === "object" && !("gzip" in body);

/**
 * A response and how much of it has been sent. Holds no bytes: when the send window is open, the body is rendered, read from its source or
 * sliced from its file into the frame that all connections share.
 */
export class Response {
  readonly status: number;
  /** The connection stays open for another request. */
  persistent = false;
  /** Something went wrong: the connection closes after this response. */
  failed = false;
  private type: string | undefined;
  private headers: readonly HeaderLine[];
  private body: ResponseBody;
  private stage = GIVEN;
  private framing = BY_LENGTH;
  /** Bytes of a file or a source of known length still to be sent. */
  private left = 0;
  /** The rest of a message that did not fit a small send window. */
  private rest: Uint8Array | undefined;

  constructor(status: number, type?: string, body?: ResponseBody, headers = NO_HEADERS) {
    this.status = status;
    this.type = type;
    this.headers = headers;
    this.body = body;
  }

  get settled(): boolean {
    return this.stage > GIVEN;
  }

  get started(): boolean {
    return this.stage >= STARTED;
  }

  /** Its source has no bytes at the moment. */
  get dry(): boolean {
    return this.stage === DRY;
  }

  /** The body is streamed from a source: `exchange.resume()` may be called. */
  get streams(): boolean {
    return isSource(this.body);
  }

  /** Its source has bytes again. */
  resume(): void {
    this.stage = STARTED;
  }

  /** Ends the response, however much of it has been sent. */
  release(service: Service): void {
    const { body } = this;
    this.body = this.rest = undefined;
    if (!isSource(body)) return;
    try {
      body.close?.();
    } catch (error) {
      service.fault(error);
    }
  }

  /** Decides whether another request may follow. */
  settle({ method, minor }: RequestHead, persistent: boolean): void {
    this.stage = SETTLED;
    this.persistent = persistent && !this.failed && (minor > 0 || !this.isEndless(method));
  }

  /** To a client of HTTP/1.0, the end of the connection has to mark the end of the body. */
  private isEndless(method: string): boolean {
    const { body, status } = this;
    return method !== "HEAD" && !isBodiless(status) && isSource(body) && body.length === undefined;
  }

  /**
   * Sends as much as the window and the body's source allow, and returns the progress. Throws what `Render` or BodySource throw: until it
   * has `started`, nothing has been sent.
   * @param head of the request, until the response has started.
   */
  send(socket: ClientSocket, frame: ResponseFrame, head: RequestHead | undefined): number {
    if (head) {
      const room = MAX_RESPONSE_HEAD_BYTES + (typeof this.body === "function" ? RESPONSE_BUFFER_BYTES : 0);
      if (frame.busy || !socket.hasRoom(room) || !socket.mayBegin(room)) return WAITS;
      if (!this.transmit(socket, this.start(frame, head))) return BROKEN;
    }
    for (;;) {
      const { body } = this;
      let result: number;
      if (this.rest) result = this.sendRest(socket, this.rest);
      else if (this.framing === BY_LAST_CHUNK) return this.sendLastChunk(socket);
      else if (this.framing === BY_LENGTH && !this.left) return SENT;
      else if (isFile(body)) result = this.sendFile(socket, body);
      else result = this.sendSource(socket, frame, body as BodySource);
      if (result !== MOVED) return result;
    }
  }

  /** Builds the head, and the body if it is rendered. */
  private start(frame: ResponseFrame, { method, minor }: RequestHead): Uint8Array {
    const { status, body, type, headers } = this;
    const old = minor === 0;
    const bodiless = isBodiless(status);
    const rendered = typeof body === "function";
    const length = rendered ? (bodiless ? 0 : frame.render(body)) : lengthOf(body);
    const sized = length >= 0 && !bodiless;
    const options = (sized ? SIZED : 0) | (old ? OLD : 0) | (this.persistent ? PERSISTENT : 0);
    if (isFile(body)) writeFields(frame, status, type, headers, options, body);
    else if (!frame.repeats(status, type, headers, options)) {
      writeFields(frame, status, type, headers, options);
      frame.keep(status, type, headers, options);
    }
    const headOnly = bodiless || method === "HEAD";
    const message = frame.message(sized ? length : NO_LENGTH, rendered && !headOnly ? length : 0);
    this.stage = STARTED;
    // Rendered: its source is no longer referenced.
    if (rendered) this.body = undefined;
    if (rendered || headOnly) return message;
    if (length < 0) this.framing = old ? BY_CLOSE : BY_CHUNK;
    else this.left = length;
    return message;
  }

  private sendFile(socket: ClientSocket, file: StaticFile): number {
    if (!socket.hasRoom(Math.min(this.left, MIN_SEND_BYTES))) return WAITS;
    const length = Math.min(this.left, socket.window, socket.share);
    if (!length) return WAITS;
    const at = file.gzip.length - this.left;
    this.left -= length;
    return socket.write(file.gzip.subarray(at, at + length)) ? MOVED : BROKEN;
  }

  private sendSource(socket: ClientSocket, frame: ResponseFrame, source: BodySource): number {
    const { framing } = this;
    const known = framing === BY_LENGTH;
    if (frame.busy || !socket.hasRoom(known ? Math.min(this.left, MIN_SEND_BYTES) : MIN_SEND_BYTES)) return WAITS;
    const window = Math.min(socket.window, socket.share);
    let room = Math.min(window - (framing === BY_CHUNK ? CHUNK_OVERHEAD : 0), RESPONSE_BUFFER_BYTES);
    if (known) room = Math.min(room, this.left);
    if (room <= 0) return WAITS;
    let length: number;
    frame.busy = true;
    try {
      length = source.read(frame.piece(room));
    } finally {
      frame.busy = false;
    }
    if (length === -1) {
      this.stage = DRY;
      return WAITS;
    }
    if (!Number.isInteger(length) || length < 0 || length > room)
      throw new RangeError("invalid number of bytes read from a body");
    if (!length) {
      if (framing === BY_CLOSE) return SENT;
      this.framing = BY_LAST_CHUNK;
      return framing === BY_CHUNK ? MOVED : BROKEN;
    }
    this.left -= length;
    return socket.write(framing === BY_CHUNK ? frame.chunk(length) : frame.piece(length)) ? MOVED : BROKEN;
  }

  private sendLastChunk(socket: ClientSocket): number {
    if (!socket.hasRoom(LAST_CHUNK.length)) return WAITS;
    return socket.write(LAST_CHUNK) ? SENT : BROKEN;
  }

  private sendRest(socket: ClientSocket, rest: Uint8Array): number {
    if (!socket.hasRoom(Math.min(rest.length, MIN_SEND_BYTES))) return WAITS;
    this.rest = undefined;
    return this.transmit(socket, rest) ? MOVED : BROKEN;
  }

  /** Sends part of a message that is too large even for a fully open window; only then is the rest copied. */
  private transmit(socket: ClientSocket, message: Uint8Array): boolean {
    const { window } = socket;
    if (message.length <= window) return socket.write(message);
    this.rest = message.slice(window);
    return socket.write(message.subarray(0, window));
  }
}

/** Bytes of a body that is not rendered; -1: unknown. */
function lengthOf(body: BodySource | StaticFile | undefined): number {
  if (!body) return 0;
  const length = isFile(body) ? body.gzip.length : body.length;
  if (length === undefined) return -1;
  if (!Number.isSafeInteger(length) || length < 0) throw new RangeError("invalid length of a body");
  return length;
}
