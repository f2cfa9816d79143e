import type TCP from "embedded:io/socket/tcp";
import Time from "time";
import { Channel } from "./channel";
import { type ExchangeOwner, RequestExchange } from "./exchange";
import { headerBytes } from "./header-bytes";
import {
  BODY_TIME_MS,
  CLIENT_GRACE_MS,
  HANDLER_TIME_MS,
  HEADER_TIME_MS,
  IDLE_TIME_MS,
  LINGER_MS,
  MAX_LINGER_BYTES,
  NEW_CONNECTION_GRACE_MS,
  SEND_STALL_BYTES,
  SEND_STALL_MS,
} from "./limits";
import { HEAD as HEAD_METHOD } from "./request-head";
import { RequestReader } from "./request-reader";
import { Response, SENT, SOURCE_EMPTY, WINDOW_CLOSED } from "./response";
import type { Service } from "./service";
import type { BodySink, BodySource, HeaderLine, KeptHeader, Render, StaticFile } from "./types";
import { type BodyCallback, COMPLETE, GONE, MALFORMED, Upload, WAITING } from "./upload";

/** A slot without a connection. */
const FREE = 0;
/** Waiting for a request. */
const IDLE = 1;
const HEAD = 2;
/** The handler has the request. */
const HANDLER = 3;
/** The handler waits for the body. */
const BODY = 4;
const RESPONSE = 5;
/** The response is out; what is left of an unwanted body is read before the next request. */
const DRAIN = 6;
/** The last response is out; see LINGER_MS. */
const LINGER = 7;

const JSON_TYPE = "application/json";
const VARY: readonly HeaderLine[] = Object.freeze([headerBytes([["Vary", "Accept-Encoding"]])], true);

/**
 * A slot for a connection, made once and used for one after another: what it needs of memory it has from the start. It goes through a
 * request's states in one loop (`advance`), which every event enters and none enters twice, so nothing recurses, however many requests
 * are pipelined and from wherever the handler answers.
 */
export class Connection implements ExchangeOwner {
  readonly #service: Service;
  readonly #channel = new Channel();
  readonly #request: RequestReader;
  readonly #upload: Upload;
  readonly #response: Response;
  #state = FREE;
  #enteredAt = 0;
  #deadline = 0;
  #running = false;
  #remoteAddress = "";
  #requests = 0;
  #exchange: RequestExchange | undefined;
  /** Something went wrong: the connection ends with this response. */
  #failed = false;
  /** It is settled whether the connection ends with this response. */
  #settled = false;
  #sourceEmpty = false;
  /** What the channel had sent when the deadline was set. */
  #acknowledged = 0;
  #lingerBytes = 0;

  constructor(service: Service) {
    this.#service = service;
    this.#request = new RequestReader(service.decoder);
    this.#upload = new Upload(this.#request, this.#channel, service);
    this.#response = new Response(service.frame, service.fault);
  }

  get free(): boolean {
    return this.#state === FREE;
  }

  /** Takes over an accepted socket. Throws when that has gone already. */
  accept(accepted: TCP): void {
    // At once: when the peer has reset the connection, the ESP32 class has no address left.
    this.#remoteAddress = accepted.remoteAddress ?? "";
    const socket = new this.#service.io({
      from: accepted,
      nodelay: true,
      format: "buffer",
      onReadable: (bytes) => this.readable(bytes),
      onWritable: (bytes) => this.writable(bytes),
      onError: () => this.close(),
    });
    this.#channel.open(socket);
    this.#requests = 0;
    this.#request.clear();
    this.awaitRequest();
  }

  /** How long it has been without a request, ms, if it may be closed for the sake of a new connection; -1 if it may not. */
  idleTime(now: number): number {
    if (this.#state === LINGER) return IDLE_TIME_MS;
    if (this.#state !== IDLE || this.#channel.readable) return -1;
    const time = (now - this.#enteredAt) | 0;
    return time >= (this.#requests ? CLIENT_GRACE_MS : NEW_CONNECTION_GRACE_MS) ? time : -1;
  }

  /** Ends the connection, whatever it is doing. */
  close(): void {
    if (this.#state === FREE) return;
    this.#state = FREE;
    this.#channel.close();
    this.release();
  }

  /** Looks at the deadline. */
  tick(now: number): void {
    if (this.#state === RESPONSE && this.#sourceEmpty && this.#channel.idle) this.arm(SEND_STALL_MS);
    if (this.#state === BODY && this.#upload.blocked) this.arm(BODY_TIME_MS);
    if (((this.#deadline - now) | 0) > 0) return this.advance();
    switch (this.#state) {
      case HEAD:
      case BODY:
        this.reject(408, "The request took too long.");
        return this.advance();
      case HANDLER:
        this.crash(new Error("http-server: no response in time"));
        return this.advance();
      default:
        this.close();
    }
  }

  header(name: KeptHeader): string | undefined {
    return this.#request.header(name);
  }

  receive(limit: number, done: BodyCallback): void {
    this.#upload.receive(limit, done);
    this.enter(BODY, BODY_TIME_MS);
    this.advance();
  }

  stream(limit: number, sink: BodySink): void {
    this.#upload.stream(limit, sink);
    this.enter(BODY, BODY_TIME_MS);
    this.advance();
  }

  respond(status: number, type?: string, body?: Render | BodySource, headers?: readonly HeaderLine[]): void {
    this.#response.set(status, type, body, headers);
    this.giveResponse();
  }

  respondFile(file: StaticFile, headers: readonly HeaderLine[] = []): void {
    if (this.#request.acceptsGzip) this.#response.setFile(file, this.#request.has(file.etag), headers);
    else this.#response.set(406, JSON_TYPE, this.errorBody(406, "Only gzip is available."), [...VARY, ...headers]);
    this.giveResponse();
  }

  resume(): void {
    if (this.#state === BODY && this.#upload.blocked) {
      this.#upload.unblock();
      this.arm(BODY_TIME_MS);
      return this.advance();
    }
    if (!this.#sourceEmpty) return;
    this.#sourceEmpty = false;
    if (this.#channel.idle) this.arm(SEND_STALL_MS);
    this.advance();
  }

  private readable(bytes: number): void {
    this.#channel.onReadable(bytes);
    this.advance();
  }

  private writable(bytes: number): void {
    const channel = this.#channel;
    channel.onWritable(bytes);
    const moved = channel.acknowledged - this.#acknowledged >= SEND_STALL_BYTES;
    if (this.#state === RESPONSE && (moved || channel.idle)) this.arm(SEND_STALL_MS);
    this.advance();
  }

  private enter(state: number, time: number): void {
    this.#state = state;
    this.#enteredAt = Time.ticks;
    this.arm(time);
  }

  private arm(time: number): void {
    this.#deadline = (Time.ticks + time) | 0;
    this.#acknowledged = this.#channel.acknowledged;
  }

  /** Goes on from where it is. */
  run(): void {
    if (this.#state !== FREE) this.advance();
  }

  private advance(): void {
    if (this.#running || this.#service.paused) return;
    this.#running = true;
    try {
      while (this.step());
    } finally {
      this.#running = false;
    }
  }

  /** Does what the state asks for: true as long as it can go on. */
  private step(): boolean {
    switch (this.#state) {
      case IDLE:
      case HEAD:
        return this.readHead();
      case BODY:
        return this.readBody();
      case RESPONSE:
        return this.sendResponse();
      case DRAIN:
        return this.drain();
      case LINGER:
        return this.linger();
      default:
        return false;
    }
  }

  /** Sees to it that there are bytes to go on with. False: there are none, or the connection has gone. */
  private fill(): boolean {
    const bytes = this.#request.fill(this.#channel);
    if (bytes < 0) this.close();
    return bytes > 0;
  }

  private awaitRequest(): void {
    this.#request.next();
    this.#failed = false;
    this.enter(IDLE, IDLE_TIME_MS);
  }

  private readHead(): boolean {
    if (!this.fill()) return false;
    const request = this.#request;
    const complete = request.readHead();
    if (this.#state === IDLE && request.begun) this.enter(HEAD, HEADER_TIME_MS);
    if (complete) this.dispatch();
    else if (request.head.status) this.reject(request.head.status, request.head.problem);
    return true;
  }

  private dispatch(): void {
    const request = this.#request;
    this.#requests++;
    this.#service.counters.requests++;
    this.#upload.begin();
    this.#exchange = new RequestExchange(this, request.method, request.path, request.query, this.#remoteAddress);
    this.enter(HANDLER, HANDLER_TIME_MS);
    try {
      this.#service.handler(this.#exchange);
    } catch (error) {
      this.crash(error);
    }
  }

  private readBody(): boolean {
    let result: number;
    try {
      result = this.#upload.read();
      // The sink may have answered, or closed the server; what was read behind that is nobody's.
      if (this.#state !== BODY) return true;
      if (result === COMPLETE) {
        this.enter(HANDLER, HANDLER_TIME_MS);
        this.#upload.deliver();
        return true;
      }
    } catch (error) {
      this.crash(error);
      return true;
    }
    if (result === GONE) this.close();
    else if (result === WAITING && this.#upload.moved()) this.arm(BODY_TIME_MS);
    else if (result === MALFORMED) this.reject(this.#request.head.status, this.#request.head.problem);
    return result === MALFORMED;
  }

  /** The response is known; from here on the handler's exchange is shut. */
  private giveResponse(): void {
    this.#exchange?.shut();
    if (this.#state === BODY) this.#upload.cancel();
    if (this.#state === FREE) return;
    this.#settled = this.#sourceEmpty = false;
    this.enter(RESPONSE, SEND_STALL_MS);
    this.advance();
  }

  private reject(status: number, problem: string): void {
    this.#service.counters.protocolErrors++;
    this.fail(status, problem);
  }

  /** The handler, or a body, threw or is too late. A response that has been given stands; the connection ends with it. */
  private crash(error: unknown): void {
    this.#service.fault(error);
    if (this.#state === HANDLER || this.#state === BODY) this.fail(500, "Internal error.");
    else this.#failed = true;
  }

  private fail(status: number, problem: string): void {
    this.#failed = true;
    this.#response.set(status, JSON_TYPE, this.errorBody(status, problem));
    this.giveResponse();
  }

  private errorBody(status: number, text: string): Render {
    return (into) => this.#service.errorBody(status, text, into);
  }

  private sendResponse(): boolean {
    const response = this.#response;
    if (!this.#settled) {
      this.#settled = true;
      const { head } = this.#request;
      const persistent = !this.#failed && head.persistent && this.#upload.settle();
      response.prepare(head.minor, persistent, head.isMethod(HEAD_METHOD));
    }
    if (this.#sourceEmpty) return false;
    const { started } = response;
    let result: number;
    try {
      result = response.send(this.#channel);
    } catch (error) {
      this.#service.fault(error);
      if (this.#state !== RESPONSE || response.started || this.#failed) this.close();
      else this.fail(500, "Internal error.");
      return true;
    }
    if (!started && response.started) this.#service.counters.response(response.status);
    this.#sourceEmpty = result === SOURCE_EMPTY;
    if (result === SENT) this.finish();
    else if (result !== WINDOW_CLOSED && result !== SOURCE_EMPTY) this.close();
    return result === SENT;
  }

  private finish(): void {
    const { persistent } = this.#response;
    const unread = this.#failed || !this.#request.body.ended || this.#request.buffered || this.#channel.readable > 0;
    this.release();
    // Render and BodySource may do anything, closing the server included.
    if (this.#state === FREE) return;
    if (persistent) {
      if (this.#request.body.ended) this.awaitRequest();
      else this.enter(DRAIN, BODY_TIME_MS);
    } else if (unread) {
      this.#lingerBytes = MAX_LINGER_BYTES;
      this.enter(LINGER, LINGER_MS);
    } else this.close();
  }

  private drain(): boolean {
    const result = this.#upload.read();
    if (result === COMPLETE) this.awaitRequest();
    else if (result !== WAITING) this.close();
    return result === COMPLETE;
  }

  private linger(): boolean {
    while (this.fill()) {
      this.#lingerBytes -= this.#request.discard();
      if (this.#lingerBytes < 0) this.close();
    }
    return false;
  }

  /** Lets go of the request and of all that answered it. */
  private release(): void {
    this.#exchange?.end();
    this.#exchange = undefined;
    this.#upload.cancel();
    this.#response.release();
  }
}
