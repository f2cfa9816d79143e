import type { BodySink, BodySource, Exchange, HeaderLine, KeptHeader, Render, StaticFile } from "./types";

/** What an exchange needs of its connection. */
export interface ExchangeOwner {
  header(name: KeptHeader): string | undefined;
  receive(limit: number, done: (body: Uint8Array | undefined) => void): void;
  stream(limit: number, sink: BodySink): void;
  respond(status: number, type?: string, body?: Render | BodySource, headers?: readonly HeaderLine[]): void;
  respondFile(file: StaticFile, headers?: readonly HeaderLine[]): void;
  resume(): void;
}

/**
 * One request, for the handler. It is made anew for each request and knows its connection only until the response has ended, so one
 * that is kept too long can never answer somebody else's request.
 */
export class RequestExchange implements Exchange {
  private owner: ExchangeOwner | undefined;
  private _open = true;

  constructor(
    owner: ExchangeOwner,
    readonly method: string,
    readonly path: string,
    readonly query: string,
    readonly remoteAddress: string,
  ) {
    this.owner = owner;
  }

  get open(): boolean {
    return this._open;
  }

  header(name: KeptHeader): string | undefined {
    return this._open ? this.owner?.header(name) : undefined;
  }

  receive(limit: number, done: (body: Uint8Array | undefined) => void): void {
    if (this._open) this.owner?.receive(limit, done);
  }

  stream(limit: number, sink: BodySink): void {
    if (this._open && this.owner) this.owner.stream(limit, sink);
    else sink.abort();
  }

  respond(status: number, type?: string, body?: Render | BodySource, headers?: readonly HeaderLine[]): void {
    if (!Number.isInteger(status) || status < 200 || status > 599) throw new RangeError("status");
    if (this._open) {
      this._open = false;
      this.owner?.respond(status, type, body, headers);
    } else if (typeof body === "object") body.close?.();
  }

  respondFile(file: StaticFile, headers?: readonly HeaderLine[]): void {
    if (!this._open) return;
    this._open = false;
    this.owner?.respondFile(file, headers);
  }

  resume(): void {
    this.owner?.resume();
  }

  /** The response has been given, by the server itself: the handler's would come too late. */
  shut(): void {
    this._open = false;
  }

  /** The response has ended, or the client has gone. */
  end(): void {
    this._open = false;
    this.owner = undefined;
  }
}
