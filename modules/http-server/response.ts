import { ascii } from "./characters";
import type { Channel } from "./channel";
import { MAX_RESPONSE_HEAD_BYTES, MIN_SEND_BYTES, RESPONSE_BUFFER_BYTES } from "./limits";
import { CHUNK_OVERHEAD, type ResponseFrame } from "./response-frame";
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

/**
 * What a connection has to answer and how much of it is out. It holds no bytes: the body is rendered, read from its source or sliced
 * from its file when the send window is open, in the frame that all connections share.
 */
export class Response {
  readonly #frame: ResponseFrame;
  readonly #fault: (error: unknown) => void;
  #status = 0;
  #type: string | undefined;
  #headers = NO_HEADERS;
  #render: Render | undefined;
  #source: BodySource | undefined;
  #file: StaticFile | undefined;
  #started = false;
  #minor = 1;
  #persistent = false;
  #headOnly = false;
  #framing = BY_LENGTH;
  /** Bytes of a file or a source of known length still to be sent. */
  #left = 0;
  #lastChunkDue = false;
  /** What a small send window could not take of a message. */
  #rest: Uint8Array | undefined;

  constructor(frame: ResponseFrame, fault: (error: unknown) => void) {
    this.#frame = frame;
    this.#fault = fault;
  }

  get status(): number {
    return this.#status;
  }

  /** The head has been made. */
  get started(): boolean {
    return this.#started;
  }

  set(status: number, type?: string, body?: Render | BodySource, headers?: readonly HeaderLine[]): void {
    this.release();
    this.#status = status;
    this.#type = type;
    this.#headers = headers ?? NO_HEADERS;
    if (typeof body === "function") this.#render = body;
    else this.#source = body;
  }

  setFile(file: StaticFile, unchanged: boolean, headers: readonly HeaderLine[]): void {
    this.release();
    this.#status = unchanged ? 304 : 200;
    this.#type = unchanged ? undefined : file.type;
    this.#headers = headers;
    this.#file = file;
  }

  /** Lets go of everything, so that nothing outlives its response; the source is closed. */
  release(): void {
    const source = this.#source;
    this.#render = this.#source = this.#file = this.#rest = this.#type = undefined;
    this.#headers = NO_HEADERS;
    this.#started = this.#lastChunkDue = false;
    this.#left = 0;
    try {
      source?.close?.();
    } catch (error) {
      this.#fault(error);
    }
  }

  /** What the request and the connection have to say: minor version, whether another request may follow, whether this one was HEAD. */
  prepare(minor: number, persistent: boolean, headOnly: boolean): void {
    this.#minor = minor;
    this.#headOnly = headOnly;
    const endless = !this.#file && this.#source && this.#source.length === undefined && minor === 0 && !this.bodiless;
    this.#persistent = persistent && !endless;
  }

  /** Another request may follow. */
  get persistent(): boolean {
    return this.#persistent;
  }

  /**
   * Sends as much as the window and the body's source let it, and tells how far it got. Throws what `Render` or BodySource throw: as
   * long as it has not `started`, nothing has been sent.
   */
  send(channel: Channel): number {
    if (!this.#started) {
      if (this.#frame.busy || !channel.hasRoom(this.room)) return WINDOW_CLOSED;
      if (!this.transmit(channel, this.start())) return BROKEN;
    }
    for (;;) {
      let result: number;
      if (this.#rest) result = this.sendRest(channel, this.#rest);
      else if (this.#lastChunkDue) return this.sendLastChunk(channel);
      else if (this.#framing === BY_LENGTH && !this.#left) return SENT;
      else if (this.#file) result = this.sendFile(channel, this.#file);
      else result = this.sendSource(channel, this.#source as BodySource);
      if (result !== MOVED) return result;
    }
  }

  private get bodiless(): boolean {
    return this.#headOnly || this.#status === 204 || this.#status === 304;
  }

  /** The window that the response waits for. */
  private get room(): number {
    return this.#render ? MAX_RESPONSE_HEAD_BYTES + RESPONSE_BUFFER_BYTES : MAX_RESPONSE_HEAD_BYTES;
  }

  /** Makes the head, and the body when it is rendered. */
  private start(): Uint8Array {
    const frame = this.#frame;
    const file = this.#file;
    const length = this.bodyLength();
    const rendered = this.#render && !this.bodiless ? length : 0;
    frame.begin(this.#status);
    if (this.#type === "application/json") frame.add(JSON_TYPE);
    else if (this.#type !== undefined) frame.textField(CONTENT_TYPE, this.#type);
    if (this.#status !== 204 && this.#status !== 304) {
      if (length >= 0) frame.numberField(CONTENT_LENGTH, length);
      else if (this.#minor) frame.add(CHUNKED);
      if (file) frame.add(GZIP);
    }
    if (file) frame.textField(ETAG, file.etag).textField(CACHE_CONTROL, file.cacheControl).add(VARY);
    for (let index = 0; index < this.#headers.length; index++) {
      const line = this.#headers[index] as HeaderLine;
      if (line instanceof Uint8Array) frame.add(line);
      else frame.field(line[0], line[1]);
    }
    if (!this.#persistent) frame.add(CLOSE);
    else if (!this.#minor) frame.add(KEEP_ALIVE);
    const message = frame.message(rendered);
    this.#started = true;
    this.#framing = BY_LENGTH;
    this.#left = 0;
    if (this.bodiless || this.#render) return message;
    if (length < 0) this.#framing = this.#minor ? BY_CHUNK : BY_CLOSE;
    else this.#left = length;
    return message;
  }

  /** The body's length in bytes, after rendering it if it is to be rendered, or -1 when it is not known. */
  private bodyLength(): number {
    if (this.#file) return this.#file.gzip.length;
    let length = 0;
    if (this.#source) {
      if (this.#source.length === undefined) return -1;
      length = this.#source.length;
    } else if (this.#render && this.#status !== 204 && this.#status !== 304) {
      const frame = this.#frame;
      frame.busy = true;
      try {
        length = this.#render(frame.body);
      } finally {
        frame.busy = false;
      }
      if (length > RESPONSE_BUFFER_BYTES) throw new RangeError("length of a rendered body");
    }
    if (!Number.isSafeInteger(length) || length < 0) throw new RangeError("length of a body");
    return length;
  }

  private sendFile(channel: Channel, file: StaticFile): number {
    if (!channel.hasRoom(Math.min(this.#left, MIN_SEND_BYTES))) return WINDOW_CLOSED;
    const at = file.gzip.length - this.#left;
    const length = Math.min(this.#left, channel.window);
    this.#left -= length;
    return channel.write(file.gzip.subarray(at, at + length)) ? MOVED : BROKEN;
  }

  private sendSource(channel: Channel, source: BodySource): number {
    const frame = this.#frame;
    const known = this.#framing === BY_LENGTH;
    const overhead = this.#framing === BY_CHUNK ? CHUNK_OVERHEAD : 0;
    let room = Math.min(channel.window - overhead, RESPONSE_BUFFER_BYTES);
    if (known) room = Math.min(room, this.#left);
    if (frame.busy || room <= 0 || !channel.hasRoom(known ? Math.min(this.#left, MIN_SEND_BYTES) : MIN_SEND_BYTES)) {
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
      if (this.#framing === BY_CLOSE) return SENT;
      this.#lastChunkDue = this.#framing === BY_CHUNK;
      return this.#lastChunkDue ? MOVED : BROKEN;
    }
    this.#left -= length;
    return channel.write(this.#framing === BY_CHUNK ? frame.chunk(length) : frame.piece(length)) ? MOVED : BROKEN;
  }

  private sendLastChunk(channel: Channel): number {
    if (!channel.hasRoom(CHUNK_OVERHEAD)) return WINDOW_CLOSED;
    return channel.write(this.#frame.lastChunk()) ? SENT : BROKEN;
  }

  private sendRest(channel: Channel, rest: Uint8Array): number {
    if (!channel.hasRoom(Math.min(rest.length, MIN_SEND_BYTES))) return WINDOW_CLOSED;
    this.#rest = undefined;
    return this.transmit(channel, rest) ? MOVED : BROKEN;
  }

  /** A window that even at its widest is too small for the message takes part of it; only then is the rest copied. */
  private transmit(channel: Channel, message: Uint8Array): boolean {
    const { window } = channel;
    if (message.length <= window) return channel.write(message);
    this.#rest = message.slice(window);
    return channel.write(message.subarray(0, window));
  }
}
