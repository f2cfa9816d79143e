import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { BodySource, Exchange, Handler, HeaderLine, KeptHeader, Render, StaticFile } from "http-server/types";
import { linesOf } from "./header-lines";

const RESPONSE_BUFFER_BYTES = 4096;

/** A request of Node's HTTP server as an Exchange for the firmware's handlers. Body bytes are counted on arrival, chunked or not. */
class NodeExchange implements Exchange {
  memo: unknown;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly remoteAddress: string;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    const [path = "", ...query] = (request.url ?? "").split("?");
    this.method = request.method ?? "";
    this.path = path;
    this.query = query.join("?");
    this.remoteAddress = request.socket.remoteAddress ?? "";
    this.#request = request;
    this.#response = response;
  }

  get open(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  header(name: KeptHeader): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  trust(): void {
    // Node keeps every connection.
  }

  receive(limit: number, done: (body: Uint8Array | undefined) => void): void {
    const pieces: Uint8Array[] = [];
    let length = 0;
    this.#request.on("data", (piece: Uint8Array) => {
      length += piece.length;
      if (length <= limit) pieces.push(piece);
    });
    this.#request.on("end", () => done(length <= limit ? Buffer.concat(pieces) : undefined));
  }

  stream(): void {
    throw new Error("no streamed bodies here");
  }

  respond(status: number, type?: string, body?: Render | BodySource, headers: readonly HeaderLine[] = []): void {
    if (!this.open) return;
    this.#request.resume();
    for (const [name, value] of linesOf(headers)) this.#response.setHeader(name, value);
    if (type) this.#response.setHeader("Content-Type", type);
    this.#response.statusCode = status;
    if (typeof body === "function") {
      const into = new Uint8Array(RESPONSE_BUFFER_BYTES);
      this.#response.end(into.subarray(0, body(into)));
    } else if (body) throw new Error("no streamed bodies here");
    else this.#response.end();
  }

  respondFile(_file: StaticFile): void {
    throw new Error("no files here");
  }

  resume(): void {
    throw new Error("no streamed bodies here");
  }
}

/** Serves `handler` on a free local port, with Node's HTTP server in place of the firmware's. */
export async function serve(handler: Handler): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => handler(new NodeExchange(request, response)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
