import { threw } from "door/enter";
import type TCP from "embedded:io/socket/tcp";
import Time from "time";
import { errorResponse, refuse, RETRY_AFTER } from "./answers";
import { ClientSocket, type SocketOwner } from "./client-socket";
import { type ExchangeOwner, RequestExchange } from "./exchange";
import { HeadParser } from "./head-parser";
import type { Input } from "./input";
import {
  BODY_TIME_MS,
  HANDLER_TIME_MS,
  HEADER_TIME_MS,
  IDLE_TIME_MS,
  LINGER_MS,
  MAX_LINGER_BYTES,
  MAX_REMEMBERED_BYTES,
  READER_GRACE_MS,
  READER_PAUSE_MS,
  SEND_STALL_BYTES,
  SEND_STALL_MS,
} from "./limits";
import { INTERNAL_ERROR, NO_MEMORY, TOO_SLOW } from "./problems";
import { type BodyCallback, type BodyOwner, COMPLETE, GONE, MALFORMED, RequestBody, WAITING } from "./request-body";
import { RememberedHead, type RequestHead } from "./request-head";
import { BROKEN, type Response, SENT } from "./response";
import type { Service } from "./service";
import type { BodySink, HeaderLine } from "./types";

/* The states of a connection; diagram in README.md. */

const CLOSED = 0;
/** Waiting for a request. */
export const IDLE = 1;
/** Receiving the head. */
export const HEAD = 2;
/** Waiting for the handler. */
export const HANDLER = 3;
/** Receiving the body for the handler. */
export const BODY = 4;
export const RESPONSE = 5;
/** Response sent; draining an unwanted body before the next request. */
export const DRAIN = 6;
/** Last response sent; see LINGER_MS. */
export const LINGER = 7;

/** Time-out of each state, ms. */
const TIMES: readonly number[] = Object.freeze(
  [0, IDLE_TIME_MS, HEADER_TIME_MS, HANDLER_TIME_MS, BODY_TIME_MS, SEND_STALL_MS, BODY_TIME_MS, LINGER_MS],
  true,
);

/**
 * An accepted connection: its requests and responses, one after another. A single loop, `advance`, runs the states; every event of the
 * socket, every tick and every answer enters it, and it is never re-entered, so nothing recurses, however many requests are pipelined and
 * wherever the handler answers from. Parts that only some requests need exist only as long as needed.
 */
export class Connection implements SocketOwner, ExchangeOwner, BodyOwner {
  readonly service: Service;
  readonly socket: ClientSocket;
  state = IDLE;
  /** Requests passed to the handler. */
  requests = 0;
  /** The request in progress may take its time; see `Exchange.trust`. */
  trusted = false;
  /** Head of the current request, as far as received. */
  head: RequestHead | undefined;
  remembered: RememberedHead | undefined;
  /** The head is being received. */
  private parser: HeadParser | undefined;
  private exchange: RequestExchange | undefined;
  private body: RequestBody | undefined;
  private response: Response | undefined;
  /** `advance` is running. */
  private running = false;
  /** Borrowed from the service while any bytes are unread. */
  private lent: Input | undefined;
  private enteredAt = Time.ticks;
  /** Beginning of the time-out. */
  private armedAt = this.enteredAt;
  /** Bytes acknowledged since then. */
  private acknowledged = 0;
  /** Its client has taken something. */
  private reads = false;
  /** Exists only while lingering. */
  declare private lingerLeft?: number;
  /** Exists only behind a proxy: its address. */
  declare private peer?: string;

  /** Takes over an accepted socket. Throws if it has closed already. */
  constructor(service: Service, accepted: TCP, address: string) {
    this.service = service;
    const client = service.clientOf(address, undefined, service.target);
    if (!client) this.peer = address;
    this.socket = new ClientSocket(service, client);
    this.socket.open(service.io, accepted, this);
  }

  get closed(): boolean {
    return this.state === CLOSED;
  }

  /** Of the peer. */
  get address(): string {
    return this.peer ?? this.socket.address;
  }

  /** Address of the client that it counts for; "" while a proxy has named none. */
  get client(): string {
    return this.socket.address;
  }

  /** Time in the current state, ms. */
  age(now: number): number {
    return (now - this.enteredAt) >>> 0;
  }

  /** Its client has taken nothing of what was sent for so long that others may have its place. */
  stalls(now: number): boolean {
    return !this.socket.idle && ((now - this.armedAt) | 0) >= (this.reads ? READER_PAUSE_MS : READER_GRACE_MS);
  }

  /** Serves nothing: sends a 503 and lingers. */
  refuse(): void {
    refuse(this.service, this.socket);
    this.enter(LINGER);
  }

  /** Closes for another client. A client still waiting for a response gets 503. */
  evict(): void {
    const { service, state } = this;
    if (state === HEAD || state === HANDLER || state === BODY) {
      service.counters.evictedRequests++;
      refuse(service, this.socket);
    }
    this.close();
  }

  /** Closes the connection in any state. */
  close(): void {
    if (this.closed) return;
    this.state = CLOSED;
    this.socket.close();
    this.release();
  }

  /* What happens: the socket's events, the server's tick, the exchange's calls. */

  lost(): void {
    this.close();
  }

  readable(bytes: number): void {
    this.socket.readable = bytes;
    this.advance();
  }

  writable(bytes: number): void {
    const { service, socket, state } = this;
    const acknowledged = socket.onWritable(bytes);
    this.acknowledged += acknowledged;
    if (acknowledged && this.requests) this.reads = true;
    const isSent = state === IDLE;
    if ((isSent || state === RESPONSE) && (this.acknowledged >= SEND_STALL_BYTES || socket.idle)) this.arm();
    // Only sending waits for the window.
    if (!isSent) this.advance();
    if (service.short) service.share();
  }

  /** Checks the deadline. */
  tick(now: number): void {
    const { state } = this;
    // Waiting for the handler, or for memory that others have, does not count against the client.
    if (state === RESPONSE && this.response?.dry && this.socket.idle) this.arm();
    if (state === RESPONSE && this.socket.starved && this.socket.idle) return this.advance();
    if (state === BODY && this.body?.blocked) this.arm();
    if (((now - this.armedAt) | 0) < (TIMES[state] as number)) {
      if (state !== IDLE || this.pending) this.advance();
      return;
    }
    if (state === HEAD || state === BODY) this.reject(TOO_SLOW);
    else if (state === HANDLER) this.crash(new Error("http-server: no response in time"));
    else return this.close();
    this.advance();
  }

  trust(): void {
    this.trusted = true;
  }

  receive(limit: number, done: BodyCallback): void {
    this.wantedBody.receive(limit, done);
    this.awaitBody();
  }

  stream(limit: number, sink: BodySink): void {
    this.wantedBody.stream(limit, sink);
    this.awaitBody();
  }

  respond(response: Response): void {
    const { exchange, service } = this;
    if (exchange) exchange.open = false;
    if (this.state === BODY) this.body?.cancel();
    this.response?.release(service);
    if (this.closed) return response.release(service);
    this.response = response;
    if (!response.streams) {
      exchange?.end();
      this.exchange = undefined;
    }
    this.enter(RESPONSE);
    this.advance();
  }

  resume(): void {
    const { body, response } = this;
    const blocked = this.state === BODY && body?.blocked;
    if (!blocked && !response?.dry) return;
    if (blocked || this.socket.idle) this.arm();
    if (body) body.blocked = false;
    response?.resume();
    this.advance();
  }

  /* The states. */

  advance(): void {
    if (this.running) return;
    this.running = true;
    try {
      while (this.step());
    } catch (error) {
      this.close();
      threw("server", error);
    } finally {
      this.running = false;
      this.giveBackInput();
    }
  }

  /** Runs one step of the current state. True: there may be more to do. */
  private step(): boolean {
    switch (this.state) {
      case IDLE:
      case HEAD:
        return this.readHead();
      case BODY:
        return this.readBody(this.body as RequestBody);
      case RESPONSE:
        return this.sendResponse(this.response as Response);
      case DRAIN:
        return this.drain(this.body as RequestBody);
      case LINGER:
        return this.linger();
      default:
        return false;
    }
  }

  private enter(state: number): void {
    this.state = state;
    this.enteredAt = this.armedAt = Time.ticks;
    this.acknowledged = 0;
  }

  /** Restarts the time-out of the current state. */
  private arm(): void {
    this.armedAt = Time.ticks;
    this.acknowledged = 0;
  }

  private readHead(): boolean {
    if ((this.parser || !this.hasUnread) && !this.receiveMore()) return false;
    const { input, remembered } = this;
    const { decoder } = this.service;
    if (!this.parser && remembered?.comesAgain(input, decoder)) {
      input.start = remembered.bytes;
      this.dispatch(remembered.head);
      return true;
    }
    const first = !this.parser && input.start === 0;
    if (!this.parser) this.remembered = undefined;
    const parser = (this.parser ??= new HeadParser(decoder));
    const { head } = parser;
    this.head = head;
    const problem = parser.read(input);
    if (problem) this.reject(problem);
    else if (parser.complete) {
      this.parser = undefined;
      // Not worth the memory for a client that sends a single request, or its head in pieces; not possible if trailers will be parsed as part
      // of the head.
      if (first && this.requests && !head.chunked && input.start <= MAX_REMEMBERED_BYTES)
        this.remembered = new RememberedHead(head, input, decoder);
      this.dispatch(head, parser);
    } else if (this.state === IDLE && parser.hasBegun(input)) this.enter(HEAD);
    return true;
  }

  private dispatch(head: RequestHead, parser?: HeadParser): void {
    const { service } = this;
    this.head = head;
    if (!service.hasRoom()) {
      service.counters.refusedConnections++;
      return this.fail(NO_MEMORY, RETRY_AFTER);
    }
    if (head.chunked || head.contentLength > 0) this.body = new RequestBody(this, head, parser);
    this.requests++;
    service.counters.requests++;
    const exchange = (this.exchange = new RequestExchange(this, head));
    this.enter(HANDLER);
    try {
      if (this.peer) this.socket.address = service.clientOf(this.peer, exchange, service.target);
      service.handler(exchange, service.target);
    } catch (error) {
      this.crash(error);
    }
  }

  private get wantedBody(): RequestBody {
    return (this.body ??= new RequestBody(this, this.head as RequestHead));
  }

  private awaitBody(): void {
    this.enter(BODY);
    this.advance();
  }

  private readBody(body: RequestBody): boolean {
    let result: number;
    try {
      result = body.advance();
      // The sink may have answered, or closed the server: then the result no longer matters.
      if (this.state !== BODY) return true;
      if (result === COMPLETE) {
        this.enter(HANDLER);
        body.deliver();
        return true;
      }
    } catch (error) {
      this.crash(error);
      return true;
    }
    if (result === GONE) this.close();
    else if (result === MALFORMED) this.reject(body.problem as string);
    else if (body.hasMoved()) this.arm();
    return result === MALFORMED;
  }

  private sendResponse(response: Response): boolean {
    const { body, head, service } = this;
    if (!response.settled) {
      const request = head as RequestHead;
      body?.cancel();
      response.settle(request, request.persistent && (!body || body.droppable));
    } else if (response.dry) return false;
    const { idle } = this.socket;
    let result: number;
    try {
      result = response.send(this.socket, service.frame, head);
    } catch (error) {
      service.fault(error);
      if (this.state !== RESPONSE || response.started || response.failed) this.close();
      else this.fail(INTERNAL_ERROR);
      return true;
    }
    // However long it waited for memory that others had: a client that has read before has its time from when there is something to take.
    if (this.reads && idle && !this.socket.idle) this.arm();
    if (head && response.started) {
      service.counters.response(response.status);
      // No longer needed, and a stream may last for hours.
      this.head = undefined;
    }
    if (result === SENT) this.finish(response);
    else if (result === BROKEN) this.close();
    // The next request, or unread bytes, may be there already.
    return result === SENT && this.pending;
  }

  private finish({ failed, persistent }: Response): void {
    const { body } = this;
    const ended = !body || body.ended;
    const unread = !persistent && (failed || !ended || this.pending);
    this.release();
    // Render and BodySource may do anything, including close the server.
    if (this.closed) return;
    if (persistent && ended) this.awaitRequest();
    else if (persistent) this.enter(DRAIN);
    else if (unread) this.enter(LINGER);
    else this.close();
  }

  private awaitRequest(): void {
    this.body = this.head = undefined;
    this.trusted = false;
    this.enter(IDLE);
  }

  private drain(body: RequestBody): boolean {
    const result = body.advance();
    if (result === COMPLETE) this.awaitRequest();
    else if (result !== WAITING) this.close();
    return result === COMPLETE;
  }

  /** Discards input after the last response. */
  private linger(): boolean {
    let left = this.lingerLeft ?? MAX_LINGER_BYTES;
    do {
      if (this.lent) left -= this.lent.discard();
      if (left < 0) this.close();
    } while (this.receiveMore());
    this.lingerLeft = left;
    return false;
  }

  /** Responds to a client error. */
  private reject(problem: string): void {
    this.service.counters.protocolErrors++;
    this.fail(problem);
  }

  /** The handler or a body threw, or timed out. A response already given is still sent; the connection closes after it. */
  private crash(error: unknown): void {
    const { state } = this;
    this.service.fault(error);
    if (state === HANDLER || state === BODY) this.fail(INTERNAL_ERROR);
    else if (this.response) this.response.failed = true;
  }

  private fail(problem: string, headers?: readonly HeaderLine[]): void {
    const response = errorResponse(this.service, problem, headers);
    response.failed = true;
    this.respond(response);
  }

  /** Releases all objects of the request. */
  private release(): void {
    const { response, service } = this;
    this.exchange?.end();
    this.body?.cancel();
    this.exchange = this.response = undefined;
    response?.release(service);
  }

  /* The bytes received. */

  get input(): Input {
    return (this.lent ??= this.service.lend());
  }

  fill(): number {
    return this.socket.readable ? this.input.fill(this.socket) : 0;
  }

  /** The buffer has bytes that are not parsed yet. */
  private get hasUnread(): boolean {
    return this.lent !== undefined && !this.lent.empty;
  }

  /** Request bytes are waiting to be parsed. */
  private get pending(): boolean {
    return this.socket.readable > 0 || this.hasUnread;
  }

  /** False: nothing received, or the connection has closed. */
  private receiveMore(): boolean {
    const bytes = this.fill();
    if (bytes < 0) this.close();
    return bytes > 0;
  }

  private giveBackInput(): void {
    const { lent } = this;
    if (!lent || !(lent.empty || this.closed)) return;
    this.lent = undefined;
    this.service.takeBack(lent);
  }
}
