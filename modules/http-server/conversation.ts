import { setError } from "./answers";
import { ClientSocket } from "./client-socket";
import { type ExchangeOwner, RequestExchange } from "./exchange";
import { Input } from "./input";
import { MAX_LINGER_BYTES } from "./limits";
import { BODY, DRAIN, FREE, HANDLER, HEAD, IDLE, LINGER, Phase, RESPONSE } from "./phase";
import { INTERNAL_ERROR } from "./problems";
import { Request } from "./request";
import { COMPLETE, GONE, MALFORMED, RequestBody, WAITING } from "./request-body";
import { Response, SENT, SOURCE_EMPTY, WINDOW_CLOSED } from "./response";
import type { Service } from "./service";

/**
 * A connection's requests and responses, one after another. A single loop, `advance`, runs the states (phase.ts); every event enters it and
 * it is never re-entered, so nothing recurses, however many requests are pipelined and wherever the handler answers from.
 */
export class Conversation implements ExchangeOwner {
  readonly request: Request;
  address = "";
  /** Requests of this connection passed to the handler. */
  requests = 0;
  readonly service: Service;
  protected readonly socket = new ClientSocket();
  readonly phase = new Phase(this.socket);
  protected readonly input = new Input(this.socket);
  readonly body: RequestBody;
  readonly response: Response;
  private exchange: RequestExchange | undefined;
  /** `advance` is running. */
  private running = false;
  /** An error occurred: the connection closes after this response. */
  protected failed = false;
  /** It is decided whether the connection closes after this response. */
  private settled = false;
  /** The response's source has no bytes at the moment. */
  protected sourceDry = false;
  private lingerLeft = 0;

  constructor(service: Service) {
    this.service = service;
    this.request = new Request(service, this.input);
    this.body = new RequestBody(this.socket, this.input, this.request.head, service);
    this.response = new Response(service);
  }

  get free(): boolean {
    return this.phase.state === FREE;
  }

  /** Closes the connection in any state. */
  close(): void {
    if (this.free) return;
    this.phase.state = FREE;
    this.socket.close();
    this.release();
  }

  resume(): void {
    const { phase, body } = this;
    const blocked = phase.state === BODY && body.blocked;
    if (!blocked && !this.sourceDry) return;
    if (blocked || this.socket.idle) phase.arm();
    body.blocked = this.sourceDry = false;
    this.advance();
  }

  /** The handler has asked for the body. */
  awaitBody(): void {
    this.phase.enter(BODY);
    this.advance();
  }

  protected advance(): void {
    if (this.running || this.service.paused) return;
    this.running = true;
    try {
      while (this.step());
    } finally {
      this.running = false;
    }
  }

  /** Runs one step of the current state. True: there may be more to do. */
  private step(): boolean {
    switch (this.phase.state) {
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

  /** False: nothing received, or the connection has closed. */
  private fill(): boolean {
    const bytes = this.input.fill();
    if (bytes < 0) this.close();
    return bytes > 0;
  }

  private readHead(): boolean {
    const { request, phase } = this;
    if ((this.input.empty || !request.fresh) && !this.fill()) return false;
    const wrong = request.readHead();
    if (wrong) this.reject(wrong);
    else if (request.head.complete) this.dispatch();
    else if (phase.state === IDLE && request.begun) phase.enter(HEAD);
    return true;
  }

  private dispatch(): void {
    this.request.next();
    this.requests++;
    this.service.counters.requests++;
    this.body.begin();
    this.exchange = new RequestExchange(this);
    this.phase.enter(HANDLER);
    try {
      this.service.handler(this.exchange);
    } catch (error) {
      this.crash(error);
    }
  }

  private readBody(): boolean {
    const { body, phase } = this;
    let result: number;
    try {
      result = body.advance();
      // The sink may have answered, or closed the server: then the result no longer matters.
      if (phase.state !== BODY) return true;
      if (result === COMPLETE) {
        this.phase.enter(HANDLER);
        body.deliver();
        return true;
      }
    } catch (error) {
      this.crash(error);
      return true;
    }
    if (result === GONE) this.close();
    else if (result === MALFORMED) this.reject(body.problem);
    else if (body.hasMoved()) this.phase.arm();
    return result === MALFORMED;
  }

  /** The response is set; the handler's exchange closes. */
  giveResponse(): void {
    if (this.exchange) this.exchange.open = false;
    if (this.phase.state === BODY) this.body.cancel();
    if (this.free) return;
    this.settled = this.sourceDry = false;
    this.phase.enter(RESPONSE);
    this.advance();
  }

  /** Rejects a client error, a number of problems.ts. */
  protected reject(number: number): void {
    this.service.counters.protocolErrors++;
    this.fail(number);
  }

  /** The handler or a body threw, or timed out. A response already given is still sent; the connection closes after it. */
  protected crash(error: unknown): void {
    const { state } = this.phase;
    this.service.fault(error);
    if (state === HANDLER || state === BODY) this.fail(INTERNAL_ERROR);
    else this.failed = true;
  }

  private fail(number: number): void {
    this.failed = true;
    setError(this.response, this.service, number);
    this.giveResponse();
  }

  private sendResponse(): boolean {
    const { response, service } = this;
    const { head } = this.request;
    if (!this.settled) {
      this.settled = true;
      this.body.cancel();
      response.prepare(!this.failed && head.persistent && this.body.droppable, head.method, head.minor);
    }
    if (this.sourceDry) return false;
    const { started } = response;
    let result: number;
    try {
      result = response.send(this.socket);
    } catch (error) {
      service.fault(error);
      if (this.phase.state !== RESPONSE || response.started || this.failed) this.close();
      else this.fail(INTERNAL_ERROR);
      return true;
    }
    if (!started && response.started) service.counters.response(response.status);
    this.sourceDry = result === SOURCE_EMPTY;
    if (result === SENT) this.finish();
    else if (result !== WINDOW_CLOSED && result !== SOURCE_EMPTY) this.close();
    return result === SENT;
  }

  private finish(): void {
    const { persistent } = this.response;
    const { ended } = this.body;
    const unread = this.failed || !ended || this.input.pending;
    this.release();
    // Render and BodySource may do anything, including close the server.
    if (this.free) return;
    if (persistent && ended) this.phase.enter(IDLE);
    else if (persistent) this.phase.enter(DRAIN);
    else if (unread) {
      this.lingerLeft = MAX_LINGER_BYTES;
      this.phase.enter(LINGER);
    } else this.close();
  }

  private drain(): boolean {
    const result = this.body.advance();
    if (result === COMPLETE) this.phase.enter(IDLE);
    else if (result !== WAITING) this.close();
    return result === COMPLETE;
  }

  private linger(): boolean {
    do {
      this.lingerLeft -= this.input.discard();
      if (this.lingerLeft < 0) this.close();
    } while (this.fill());
    return false;
  }

  /** Releases the request and everything that answered it. */
  private release(): void {
    this.exchange?.end();
    this.exchange = undefined;
    this.body.cancel();
    this.response.release();
  }
}
