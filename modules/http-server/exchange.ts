import { setFile } from "./answers";
import { fieldNumber } from "./fields";
import type { Request } from "./request";
import type { RequestBody } from "./request-body";
import type { Response } from "./response";
import type { Service } from "./service";
import type { BodySink, BodySource, Exchange, HeaderLine, KeptHeader, Render, StaticFile } from "./types";

/** What an exchange needs from its connection. */
export interface ExchangeOwner {
  readonly service: Service;
  readonly request: Request;
  readonly body: RequestBody;
  readonly response: Response;
  readonly address: string;
  awaitBody(): void;
  giveResponse(): void;
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

  constructor(owner: ExchangeOwner) {
    const { head } = owner.request;
    this.owner = owner;
    this.method = head.method;
    this.path = head.path;
    this.query = head.query;
    this.remoteAddress = owner.address;
  }

  get memo(): unknown {
    return this.open ? this.owner?.request.memo : undefined;
  }

  set memo(memo: unknown) {
    if (this.open && this.owner) this.owner.request.memo = memo;
  }

  header(name: KeptHeader): string | undefined {
    return this.open ? this.owner?.request.head.value(fieldNumber(name)) : undefined;
  }

  receive(limit: number, done: (body: Uint8Array | undefined) => void): void {
    const { owner } = this;
    if (!this.open || !owner) return;
    owner.body.receive(limit, done);
    owner.awaitBody();
  }

  stream(limit: number, sink: BodySink): void {
    const { owner } = this;
    if (!this.open || !owner) return sink.abort();
    owner.body.stream(limit, sink);
    owner.awaitBody();
  }

  respond(status: number, type?: string, body?: Render | BodySource, headers?: readonly HeaderLine[]): void {
    if (!Number.isInteger(status) || status < 200 || status > 599) throw new RangeError("status");
    const { owner } = this;
    if (this.open && owner) {
      owner.response.set(status, type, body, headers);
      owner.giveResponse();
    } else if (typeof body === "object") body.close?.();
  }

  respondFile(file: StaticFile, headers?: readonly HeaderLine[]): void {
    const { owner } = this;
    if (!this.open || !owner) return;
    setFile(owner.response, owner.service, owner.request.head, file, headers);
    owner.giveResponse();
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
