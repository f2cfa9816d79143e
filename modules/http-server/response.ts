import { ascii } from "./characters";
import type { Channel } from "./channel";
import { MAX_RESPONSE_HEAD_BYTES, MIN_SEND_BYTES, RESPONSE_BUFFER_BYTES } from "./limits";
import { CHUNK_OVERHEAD } from "./response-frame";
import {
  FRAMING,
  HEAD_ONLY,
  LAST_CHUNK_DUE,
  MINOR,
  type Numbers,
  PERSISTENT,
  STARTED,
  STATUS,
  WINDOW,
} from "./numbers";
import type { Service } from "./service";
import type { BodySource, HeaderLine, Render, StaticFile } from "./types";

const CONTENT_TYPE = ascii("Content-Type: ");
const CONTENT_LENGTH = ascii("Content-Length: ");
const CHUNKED = ascii("Transfer-Encoding: chunked\r\n");
const GZIP = ascii("Content-Encoding: gzip\r\n");
const ETAG = ascii("ETag: ");
const CACHE_CONTROL = ascii("Cache-Control: ");
const VARY = ascii("Vary: Accept-Encoding\r\n");
const CLOSE = ascii("Connection: close\r\n");
const KEEP_ALIVE = ascii("Connection: keep-alive\r\n");
const JSON_TYPE = ascii("Content-Type: application/json\r\n");

/** How far a response has come. */
export const WINDOW_CLOSED = 0;
export const SOURCE_EMPTY = 1;
export const SENT = 2;
export const BROKEN = 3;
const MOVED = 4;

const NO_HEADERS: readonly HeaderLine[] = Object.freeze([], true);

/** How the body's end is told: with its length, by the last chunk, by the end of the connection. */
const BY_LENGTH = 0;
const BY_CHUNK = 1;
const BY_CLOSE = 2;

type Body = Render | BodySource | StaticFile | undefined;

const isRender = (body: Body): body is Render => typeof body === "function";
const isFile = (body: Body): body is StaticFile => typeof body === "object" && "gzip" in body;
const isSource = (body: Body): body is BodySource => typeof body === "object" && !("gzip" in body);

/**
 * What a connection has to answer and how much of it is out. It holds no bytes: the body is rendered, read from its source or sliced
 * from its file when the send window is open, in the frame that all connections share.
 */
export class Response {
  private readonly numbers: Numbers;
  private readonly service: Service;
  private type: string | undefined;
  private headers = NO_HEADERS;
  private body: Body;
  /** Bytes of a file or a source of known length still to be sent. */
  private left = 0;
  /** What a small send window could not take of a message. */
  private rest: Uint8Array | undefined;

  constructor(numbers: Numbers, service: Service) {
    this.numbers = numbers;
    this.service = service;
  }

  get status(): number {
    return this.numbers[STATUS];
  }

  /** The head has been made. */
  get started(): boolean {
    return this.numbers[STARTED] > 0;
  }

  set(status: number, type?: string, body?: Body, headers = NO_HEADERS): void {
    this.release();
    this.numbers[STATUS] = status;
    this.type = type;
    this.headers = headers;
    this.body = body;
  }

  /** Lets go of everything, so that nothing outlives its response; the source is closed. */
  release(): void {
    const body = this.body;
    const numbers = this.numbers;
    this.body = this.rest = this.type = undefined;
    this.headers = NO_HEADERS;
    numbers[STARTED] = numbers[LAST_CHUNK_DUE] = 0;
    this.left = 0;
    try {
      if (isSource(body)) body.close?.();
    } catch (error) {
      this.service.fault(error);
    }
  }

  /** What the request and the connection have to say: whether another request may follow, whether this one was HEAD. */
  prepare(persistent: boolean, headOnly: boolean): void {
    const numbers = this.numbers;
    const body = this.body;
    numbers[HEAD_ONLY] = headOnly ? 1 : 0;
    const endless = isSource(body) && body.length === undefined && numbers[MINOR] === 0 && !this.bodiless;
    numbers[PERSISTENT] = persistent && !endless ? 1 : 0;
  }

  /** Another request may follow. */
  get persistent(): boolean {
    return this.numbers[PERSISTENT] > 0;
  }

  /**
   * Sends as much as the window and the body's source let it, and tells how far it got. Throws what `Render` or BodySource throw: as
   * long as it has not `started`, nothing has been sent.
   */
  send(channel: Channel): number {
    const numbers = this.numbers;
    if (!numbers[STARTED]) {
      if (this.service.frame.busy || !channel.hasRoom(this.room)) return WINDOW_CLOSED;
      if (!this.transmit(channel, this.start())) return BROKEN;
    }
    for (;;) {
      const body = this.body;
      let result: number;
      if (this.rest) result = this.sendRest(channel, this.rest);
      else if (numbers[LAST_CHUNK_DUE]) return this.sendLastChunk(channel);
      else if (numbers[FRAMING] === BY_LENGTH && !this.left) return SENT;
      else if (isFile(body)) result = this.sendFile(channel, body);
      else result = this.sendSource(channel, body as BodySource);
      if (result !== MOVED) return result;
    }
  }

  private get bodiless(): boolean {
    const numbers = this.numbers;
    return numbers[HEAD_ONLY] > 0 || numbers[STATUS] === 204 || numbers[STATUS] === 304;
  }

  /** The window that the response waits for. */
  private get room(): number {
    return isRender(this.body) ? MAX_RESPONSE_HEAD_BYTES + RESPONSE_BUFFER_BYTES : MAX_RESPONSE_HEAD_BYTES;
  }

  /** Makes the head, and the body when it is rendered. */
  private start(): Uint8Array {
    const { frame } = this.service;
    const numbers = this.numbers;
    const body = this.body;
    const status = numbers[STATUS];
    const length = this.bodyLength();
    const { bodiless } = this;
    const rendered = isRender(body) && !bodiless ? length : 0;
    frame.begin(status);
    if (this.type === "application/json") frame.add(JSON_TYPE);
    else if (this.type !== undefined) frame.textField(CONTENT_TYPE, this.type);
    if (status !== 204 && status !== 304) {
      if (length >= 0) frame.numberField(CONTENT_LENGTH, length);
      else if (numbers[MINOR]) frame.add(CHUNKED);
      if (isFile(body)) frame.add(GZIP);
    }
    if (isFile(body)) frame.textField(ETAG, body.etag).textField(CACHE_CONTROL, body.cacheControl).add(VARY);
    for (let index = 0; index < this.headers.length; index++) {
      const line = this.headers[index] as HeaderLine;
      if (line instanceof Uint8Array) frame.add(line);
      else frame.field(line[0], line[1]);
    }
    if (!numbers[PERSISTENT]) frame.add(CLOSE);
    else if (!numbers[MINOR]) frame.add(KEEP_ALIVE);
    const message = frame.message(rendered);
    numbers[STARTED] = 1;
    numbers[FRAMING] = BY_LENGTH;
    this.left = 0;
    if (bodiless || isRender(body)) return message;
    if (length < 0) numbers[FRAMING] = numbers[MINOR] ? BY_CHUNK : BY_CLOSE;
    else this.left = length;
    return message;
  }

  /** The body's length in bytes, after rendering it if it is to be rendered, or -1 when it is not known. */
  private bodyLength(): number {
    const body = this.body;
    const status = this.numbers[STATUS];
    if (isFile(body)) return body.gzip.length;
    let length = 0;
    if (isSource(body)) {
      if (body.length === undefined) return -1;
      length = body.length;
    } else if (body && status !== 204 && status !== 304) {
      const { frame } = this.service;
      frame.busy = true;
      try {
        length = body(frame.body);
      } finally {
        frame.busy = false;
      }
      if (length > RESPONSE_BUFFER_BYTES) throw new RangeError("length of a rendered body");
    }
    if (!Number.isSafeInteger(length) || length < 0) throw new RangeError("length of a body");
    return length;
  }

  private sendFile(channel: Channel, file: StaticFile): number {
    if (!channel.hasRoom(Math.min(this.left, MIN_SEND_BYTES))) return WINDOW_CLOSED;
    const at = file.gzip.length - this.left;
    const length = Math.min(this.left, this.numbers[WINDOW]);
    this.left -= length;
    return channel.write(file.gzip.subarray(at, at + length)) ? MOVED : BROKEN;
  }

  private sendSource(channel: Channel, source: BodySource): number {
    const { frame } = this.service;
    const numbers = this.numbers;
    const framing = numbers[FRAMING];
    const known = framing === BY_LENGTH;
    const overhead = framing === BY_CHUNK ? CHUNK_OVERHEAD : 0;
    let room = Math.min(numbers[WINDOW] - overhead, RESPONSE_BUFFER_BYTES);
    if (known) room = Math.min(room, this.left);
    if (frame.busy || room <= 0 || !channel.hasRoom(known ? Math.min(this.left, MIN_SEND_BYTES) : MIN_SEND_BYTES)) {
      return WINDOW_CLOSED;
    }
    let length: number;
    frame.busy = true;
    try {
      length = source.read(frame.piece(room));
    } finally {
      frame.busy = false;
    }
    if (length === -1) return SOURCE_EMPTY;
    if (!Number.isInteger(length) || length < 0 || length > room) throw new RangeError("bytes read from a body");
    if (!length) {
      if (framing === BY_CLOSE) return SENT;
      numbers[LAST_CHUNK_DUE] = framing === BY_CHUNK ? 1 : 0;
      return numbers[LAST_CHUNK_DUE] ? MOVED : BROKEN;
    }
    this.left -= length;
    return channel.write(framing === BY_CHUNK ? frame.chunk(length) : frame.piece(length)) ? MOVED : BROKEN;
  }

  private sendLastChunk(channel: Channel): number {
    if (!channel.hasRoom(CHUNK_OVERHEAD)) return WINDOW_CLOSED;
    return channel.write(this.service.frame.lastChunk()) ? SENT : BROKEN;
  }

  private sendRest(channel: Channel, rest: Uint8Array): number {
    if (!channel.hasRoom(Math.min(rest.length, MIN_SEND_BYTES))) return WINDOW_CLOSED;
    this.rest = undefined;
    return this.transmit(channel, rest) ? MOVED : BROKEN;
  }

  /** A window that even at its widest is too small for the message takes part of it; only then is the rest copied. */
  private transmit(channel: Channel, message: Uint8Array): boolean {
    const window = this.numbers[WINDOW];
    if (message.length <= window) return channel.write(message);
    this.rest = message.slice(window);
    return channel.write(message.subarray(0, window));
  }
}
