import { fileResponse } from "./answers";
import { fieldNumber } from "./fields";
import type { BodyCallback } from "./request-body";
import type { RememberedHead, RequestHead } from "./request-head";
import { Response } from "./response";
import type { Service } from "./service";
import type { BodySink, BodySource, Exchange, HeaderLine, KeptHeader, Render, StaticFile } from "./types";

/** The connection, as an exchange sees it. */
export interface ExchangeOwner {
  readonly service: Service;
  readonly remembered: RememberedHead | undefined;
  readonly head: RequestHead | undefined;
  readonly address: string;
  trust(): void;
  receive(limit: number, done: BodyCallback): void;
  stream(limit: number, sink: BodySink): void;
  respond(response: Response): void;
  resume(): void;
}

/**
 * One request, as the handler sees it. Created for each request and detached when the response ends, so a stale exchange can never answer a
 * later request.
 */
export class RequestExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly remoteAddress: string;
  open = true;
  private owner: ExchangeOwner | undefined;

  constructor(owner: ExchangeOwner, { method, path, query }: RequestHead) {
    this.owner = owner;
    this.method = method;
    this.path = path;
    this.query = query;
    this.remoteAddress = owner.address;
  }

  get memo(): unknown {
    return this.open ? this.owner?.remembered?.memo : undefined;
  }

  set memo(memo: unknown) {
    const remembered = this.open && this.owner?.remembered;
    if (remembered) remembered.memo = memo;
  }

  header(name: KeptHeader): string | undefined {
    return this.open ? this.owner?.head?.values[fieldNumber(name)] : undefined;
  }

  trust(): void {
    if (this.open) this.owner?.trust();
  }

  receive(limit: number, done: BodyCallback): void {
    if (this.open) this.owner?.receive(limit, done);
  }

  stream(limit: number, sink: BodySink): void {
    const { owner } = this;
    if (this.open && owner) owner.stream(limit, sink);
    else sink.abort();
  }

  respond(status: number, type?: string, body?: Render | BodySource, headers?: readonly HeaderLine[]): void {
    if (!Number.isInteger(status) || status < 200 || status > 599) throw new RangeError("status");
    const { owner } = this;
    if (this.open && owner) owner.respond(new Response(status, type, body, headers));
    else if (typeof body === "object") body.close?.();
  }

  respondFile(file: StaticFile, headers?: readonly HeaderLine[]): void {
    const { owner } = this;
    if (this.open && owner?.head) owner.respond(fileResponse(owner.service, owner.head, file, headers));
  }

  resume(): void {
    this.owner?.resume();
  }

  /** The response has ended, or the client has gone. */
  end(): void {
    this.open = false;
    this.owner = undefined;
  }
}
