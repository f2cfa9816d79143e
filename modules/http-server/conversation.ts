import { bodyHasEnded } from "./body-reader";
import { type ExchangeOwner, RequestExchange } from "./exchange";
import { MAX_LINGER_BYTES } from "./limits";
import { BLOCKED, FAILED, LINGER_LEFT, REQUESTS, RUNNING, SETTLED, SOURCE_DRY, STATE } from "./numbers";
import { arm, BODY_COMING, DRAIN, enter, FREE, HANDLER, HEAD_COMING, IDLE, LINGER, RESPONSE } from "./phase";
import { problem } from "./problems";
import { sendReply, setError, setFile } from "./reply";
import { Request } from "./request";
import { Response, SENT, SOURCE_EMPTY, WINDOW_CLOSED } from "./response";
import type { Service } from "./service";
import type { BodySink, BodySource, HeaderLine, KeptHeader, Render, StaticFile } from "./types";
import {
  type BodyCallback,
  COMPLETE,
  GONE,
  MALFORMED,
  WAITING,
  beginUpload,
  cancelUpload,
  deliverBody,
  hasMoved,
  readBody,
  receiveBody,
  streamBody,
} from "./upload";

/**
 * The requests of a connection and their responses, one after another. It goes through a request's states (phase.ts) in one loop
 * (`advance`), which every event enters and none enters twice, so nothing recurses, however many requests are pipelined and from wherever
 * the handler answers.
 */
export abstract class Conversation implements ExchangeOwner {
  protected readonly request: Request;
  protected remoteAddress = "";
  private readonly response: Response;
  private exchange: RequestExchange | undefined;

  constructor(service: Service) {
    this.request = new Request(service);
    this.response = new Response(this.request.numbers, service);
  }

  get free(): boolean {
    return this.request.numbers[STATE] === FREE;
  }

  /** Ends the connection, whatever it is doing. */
  close(): void {
    if (this.free) return;
    this.request.numbers[STATE] = FREE;
    this.request.channel.close();
    this.release();
  }

  header(name: KeptHeader): string | undefined {
    return this.request.header(name);
  }

  receive(limit: number, done: BodyCallback): void {
    receiveBody(this.request, limit, done);
    this.awaitBody();
  }

  stream(limit: number, sink: BodySink): void {
    streamBody(this.request, limit, sink);
    this.awaitBody();
  }

  respond(status: number, type?: string, body?: Render | BodySource, headers?: readonly HeaderLine[]): void {
    this.response.set(status, type, body, headers);
    this.giveResponse();
  }

  respondFile(file: StaticFile, headers?: readonly HeaderLine[]): void {
    setFile(this.response, this.request, file, headers);
    this.giveResponse();
  }

  resume(): void {
    const { numbers, channel } = this.request;
    if (numbers[STATE] === BODY_COMING && numbers[BLOCKED]) {
      numbers[BLOCKED] = 0;
      arm(numbers);
      return this.advance();
    }
    if (!numbers[SOURCE_DRY]) return;
    numbers[SOURCE_DRY] = 0;
    if (channel.idle) arm(numbers);
    this.advance();
  }

  protected advance(): void {
    const { numbers } = this.request;
    if (numbers[RUNNING] || this.request.service.paused) return;
    numbers[RUNNING] = 1;
    try {
      while (this.step());
    } finally {
      numbers[RUNNING] = 0;
    }
  }

  /** Does what the state asks for: true as long as it can go on. */
  private step(): boolean {
    switch (this.request.numbers[STATE]) {
      case IDLE:
      case HEAD_COMING:
        return this.readHead();
      case BODY_COMING:
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
    const bytes = this.request.fill();
    if (bytes < 0) this.close();
    return bytes > 0;
  }

  protected awaitRequest(): void {
    const { numbers } = this.request;
    this.request.next();
    numbers[FAILED] = 0;
    enter(numbers, IDLE);
  }

  private readHead(): boolean {
    if (!this.fill()) return false;
    const request = this.request;
    const { numbers } = request;
    const complete = request.readHead();
    if (complete) this.dispatch();
    else if (request.problem) this.reject(request.problem);
    else if (numbers[STATE] === IDLE && request.begun) enter(numbers, HEAD_COMING);
    return true;
  }

  private dispatch(): void {
    const request = this.request;
    const { numbers } = request;
    numbers[REQUESTS]++;
    this.request.service.counters.requests++;
    beginUpload(numbers);
    this.exchange = new RequestExchange(this, request.method, request.path, request.query, this.remoteAddress);
    enter(numbers, HANDLER);
    try {
      this.request.service.handler(this.exchange);
    } catch (error) {
      this.crash(error);
    }
  }

  private awaitBody(): void {
    enter(this.request.numbers, BODY_COMING);
    this.advance();
  }

  private readBody(): boolean {
    const request = this.request;
    const { numbers } = request;
    let result: number;
    try {
      result = readBody(request);
      // The sink may have answered, or closed the server; what was read behind that is nobody's.
      if (numbers[STATE] !== BODY_COMING) return true;
      if (result === COMPLETE) {
        enter(numbers, HANDLER);
        deliverBody(request);
        return true;
      }
    } catch (error) {
      this.crash(error);
      return true;
    }
    if (result === GONE) this.close();
    else if (result === WAITING && hasMoved(numbers)) arm(numbers);
    else if (result === MALFORMED) this.reject(request.problem);
    return result === MALFORMED;
  }

  /** The response is known; from here on the handler's exchange is shut. */
  private giveResponse(): void {
    const { numbers } = this.request;
    this.exchange?.shut();
    if (numbers[STATE] === BODY_COMING) cancelUpload(this.request);
    if (this.free) return;
    numbers[SETTLED] = numbers[SOURCE_DRY] = 0;
    enter(numbers, RESPONSE);
    this.advance();
  }

  protected reject(number: number): void {
    const { status, text } = problem(number);
    this.request.service.counters.protocolErrors++;
    this.fail(status, text);
  }

  /** The handler, or a body, threw or is too late. A response that has been given stands; the connection ends with it. */
  protected crash(error: unknown): void {
    const { numbers } = this.request;
    this.request.service.fault(error);
    if (numbers[STATE] === HANDLER || numbers[STATE] === BODY_COMING) this.fail(500, "Internal error.");
    else numbers[FAILED] = 1;
  }

  private fail(status: number, text: string): void {
    this.request.numbers[FAILED] = 1;
    setError(this.response, this.request.service, status, text);
    this.giveResponse();
  }

  private sendResponse(): boolean {
    const response = this.response;
    const { numbers } = this.request;
    let result: number;
    try {
      result = sendReply(response, this.request);
    } catch (error) {
      this.request.service.fault(error);
      if (numbers[STATE] !== RESPONSE || response.started || numbers[FAILED]) this.close();
      else this.fail(500, "Internal error.");
      return true;
    }
    if (result === SENT) this.finish();
    else if (result !== WINDOW_CLOSED && result !== SOURCE_EMPTY) this.close();
    return result === SENT;
  }

  private finish(): void {
    const { numbers } = this.request;
    const { persistent } = this.response;
    const ended = bodyHasEnded(numbers);
    const unread = numbers[FAILED] || !ended || this.request.unread;
    this.release();
    // Render and BodySource may do anything, closing the server included.
    if (this.free) return;
    if (persistent) {
      if (ended) this.awaitRequest();
      else enter(numbers, DRAIN);
    } else if (unread) {
      numbers[LINGER_LEFT] = MAX_LINGER_BYTES;
      enter(numbers, LINGER);
    } else this.close();
  }

  private drain(): boolean {
    const result = readBody(this.request);
    if (result === COMPLETE) this.awaitRequest();
    else if (result !== WAITING) this.close();
    return result === COMPLETE;
  }

  private linger(): boolean {
    const { numbers } = this.request;
    while (this.fill()) {
      numbers[LINGER_LEFT] -= this.request.discard();
      if (numbers[LINGER_LEFT] < 0) this.close();
    }
    return false;
  }

  /** Lets go of the request and of all that answered it. */
  private release(): void {
    this.exchange?.end();
    this.exchange = undefined;
    cancelUpload(this.request);
    this.response.release();
  }
}
