import { errorResponse } from "./answers";
import type { BodyCallback } from "./collector";
import { type ExchangeOwner, RequestExchange } from "./exchange";
import { HeadParser } from "./head-parser";
import { MAX_REMEMBERED_BYTES } from "./limits";
import { BODY, DRAIN, HANDLER, HEAD, IDLE, LINGER, RESPONSE } from "./phase";
import { INTERNAL_ERROR } from "./problems";
import { Receiver } from "./receiver";
import { RememberedHead } from "./remembered-head";
import { type BodyOwner, COMPLETE, GONE, MALFORMED, RequestBody, WAITING } from "./request-body";
import type { RequestHead } from "./request-head";
import { BROKEN, type Response, SENT } from "./response";
import type { BodySink } from "./types";

/**
 * A connection's requests and responses, one after another. A single loop, `advance`, runs the states (phase.ts); every event enters it and
 * it is never re-entered, so nothing recurses, however many requests are pipelined and wherever the handler answers from. Parts that only
 * some requests need exist only as long as needed.
 */
export abstract class Conversation extends Receiver implements ExchangeOwner, BodyOwner {
  /** Requests of this connection passed to the handler. */
  requests = 0;
  /** Head of the current request, as far as received. */
  head: RequestHead | undefined;
  remembered: RememberedHead | undefined;
  /** The head is being received. */
  private parser: HeadParser | undefined;
  private exchange: RequestExchange | undefined;
  protected body: RequestBody | undefined;
  protected response: Response | undefined;
  /** `advance` is running. */
  private running = false;

  resume(): void {
    const { body, response } = this;
    const blocked = this.state === BODY && body?.blocked;
    if (!blocked && !response?.dry) return;
    if (blocked || this.socket.idle) this.arm();
    if (body) body.blocked = false;
    response?.resume();
    this.advance();
  }

  receive(limit: number, done: BodyCallback): void {
    this.wantedBody.receive(limit, done);
    this.awaitBody();
  }

  stream(limit: number, sink: BodySink): void {
    this.wantedBody.stream(limit, sink);
    this.awaitBody();
  }

  private get wantedBody(): RequestBody {
    return (this.body ??= new RequestBody(this, this.head as RequestHead));
  }

  private awaitBody(): void {
    this.enter(BODY);
    this.advance();
  }

  advance(): void {
    if (this.running || this.service.paused) return;
    this.running = true;
    try {
      while (this.step());
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
    if (head.chunked || head.contentLength > 0) this.body = new RequestBody(this, head, parser);
    this.requests++;
    service.counters.requests++;
    const exchange = (this.exchange = new RequestExchange(this, head));
    this.enter(HANDLER);
    try {
      service.handler(exchange, service.target);
    } catch (error) {
      this.crash(error);
    }
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

  /** Responds to a client error. */
  protected reject(problem: string): void {
    this.service.counters.protocolErrors++;
    this.fail(problem);
  }

  /** The handler or a body threw, or timed out. A response already given is still sent; the connection closes after it. */
  protected crash(error: unknown): void {
    const { state } = this;
    this.service.fault(error);
    if (state === HANDLER || state === BODY) this.fail(INTERNAL_ERROR);
    else if (this.response) this.response.failed = true;
  }

  private fail(problem: string): void {
    const response = errorResponse(this.service, problem);
    response.failed = true;
    this.respond(response);
  }

  private sendResponse(response: Response): boolean {
    const { body, head, service } = this;
    if (!response.settled) {
      const request = head as RequestHead;
      body?.cancel();
      response.settle(request, request.persistent && (!body || body.droppable));
    } else if (response.dry) return false;
    let result: number;
    try {
      result = response.send(this.socket, service.frame, head);
    } catch (error) {
      service.fault(error);
      if (this.state !== RESPONSE || response.started || response.failed) this.close();
      else this.fail(INTERNAL_ERROR);
      return true;
    }
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
    this.enter(IDLE);
  }

  private drain(body: RequestBody): boolean {
    const result = body.advance();
    if (result === COMPLETE) this.awaitRequest();
    else if (result !== WAITING) this.close();
    return result === COMPLETE;
  }

  /** Releases all objects of the request. */
  protected release(): void {
    const { response, service } = this;
    this.exchange?.end();
    this.body?.cancel();
    this.exchange = this.response = undefined;
    response?.release(service);
  }
}
