import type { BodySink, BodySource, Exchange, HeaderLine, KeptHeader, Render, StaticFile } from "http-server/types";
import { linesOf } from "./header-lines";

export interface FakeRequest {
  method?: string;
  path?: string;
  query?: string;
  remoteAddress?: string;
  headers?: Partial<Record<KeptHeader, string>>;
  /** If longer than the handler's limit it is passed as undefined, as by the server. */
  body?: Uint8Array | string;
  /** Expects a streamed response body and reads all of it. */
  sources?: boolean;
}

/** An in-memory Exchange: takes a request, renders the response. */
export class FakeExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly remoteAddress: string;
  readonly #headers: Partial<Record<KeptHeader, string>>;
  readonly #body: Uint8Array;
  readonly #sources: boolean;
  open = true;
  memo: unknown;
  status: number | undefined;
  type: string | undefined;
  body: Uint8Array | undefined;
  headers: readonly HeaderLine[] = [];
  /** The file sent as response. */
  file: StaticFile | undefined;
  /** The handler's body limit, if it requested the body. */
  limit: number | undefined;

  constructor({
    method = "GET",
    path = "/",
    query = "",
    remoteAddress = "192.0.2.1",
    headers = {},
    body = "",
    sources = false,
  }: FakeRequest) {
    this.#sources = sources;
    this.method = method;
    this.path = path;
    this.query = query;
    this.remoteAddress = remoteAddress;
    this.#headers = headers;
    this.#body = typeof body === "string" ? new TextEncoder().encode(body) : body;
  }

  get json(): unknown {
    return this.body && (JSON.parse(new TextDecoder().decode(this.body)) as unknown);
  }

  responseHeader(name: string): string | undefined {
    return linesOf(this.headers).find(([key]) => key.toLowerCase() === name)?.[1];
  }

  header(name: KeptHeader): string | undefined {
    return this.#headers[name];
  }

  trusted = false;
  trust(): void {
    this.trusted = true;
  }

  receive(limit: number, done: (body: Uint8Array | undefined) => void): void {
    this.limit = limit;
    done(this.#body.length > limit ? undefined : this.#body);
  }

  stream(limit: number, sink: BodySink): void {
    this.limit = limit;
    if (this.#body.length <= limit && !sink.write(this.#body))
      throw new Error("a sink that waits needs the real server");
    sink.end(this.#body.length <= limit);
  }

  respond(status: number, type?: string, body?: Render | BodySource, headers: readonly HeaderLine[] = []): void {
    if (!this.open) throw new Error("answered twice");
    this.open = false;
    this.status = status;
    this.type = type;
    this.headers = headers;
    if (typeof body === "function") {
      const into = new Uint8Array(16_384);
      this.body = into.slice(0, body(into));
    } else if (body && this.#sources) this.body = readWhole(body);
    else if (body) throw new Error("no body source expected");
  }

  respondFile(file: StaticFile, headers: readonly HeaderLine[] = []): void {
    if (!this.open) throw new Error("answered twice");
    this.open = false;
    this.status = 200;
    this.file = file;
    this.headers = headers;
  }

  resume(): void {
    throw new Error("no body source expected");
  }
}

function readWhole(source: BodySource): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const into = new Uint8Array(1024);
    const length = source.read(into);
    if (length <= 0) break;
    pieces.push(into.subarray(0, length));
  }
  source.close?.();
  return Buffer.concat(pieces);
}
