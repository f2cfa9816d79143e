import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { validateResponse } from "../peers/openapi";

export interface ApiRequest {
  method?: string;
  path: string;
  /** Authorization header; default: the right token. Null: none. */
  authorization?: string | null;
  contentType?: string | null;
  /** A string or bytes are sent with Content-Length; a list of them is sent chunked. */
  body?: string | Uint8Array | readonly (string | Uint8Array)[];
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined if empty. */
  readonly json: unknown;
}

/** More decimals than any published number may have (docs/api.md, "Documents"). */
const TOO_FINE = /\.\d{4,}|\de[+-]?\d/;

/** Client of the API over real sockets. Validates every response against docs/openapi.yaml before returning it. */
export class ApiClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #baseUrl: string;
  readonly #token: string;

  constructor({ baseUrl, token }: { baseUrl: string; token: string }) {
    this.#baseUrl = baseUrl;
    this.#token = token;
  }

  async send({
    method = "GET",
    path,
    authorization = `Bearer ${this.#token}`,
    contentType = null,
    body,
  }: ApiRequest): Promise<ApiAnswer> {
    const headers: Record<string, string> = {};
    if (authorization !== null) headers["Authorization"] = authorization;
    if (contentType !== null) headers["Content-Type"] = contentType;
    const chunks = typeof body === "string" || body instanceof Uint8Array ? undefined : body;
    if (chunks) headers["Transfer-Encoding"] = "chunked";
    else if (body !== undefined) headers["Content-Length"] = String(Buffer.byteLength(body as string | Uint8Array));
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = httpRequest(this.#baseUrl + path, { method, headers, agent: this.#agent });
      outgoing.on("response", resolve);
      outgoing.on("error", reject);
      for (const chunk of chunks ?? []) outgoing.write(chunk);
      outgoing.end(chunks ? undefined : body);
    });
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString("utf8");
    const status = incoming.statusCode ?? 0;
    const json: unknown = text === "" ? undefined : JSON.parse(text);
    const answerHeaders = new Headers(incoming.headers as Record<string, string>);
    validateResponse(method, path.split("?")[0] ?? "", status, json, answerHeaders);
    const numbers = text.replaceAll(/"(\\.|[^"\\])*"/g, '""');
    if (TOO_FINE.test(numbers)) throw new Error(`a number finer than the API's: ${text}`);
    return { status, headers: answerHeaders, text, json };
  }

  get(path: string): Promise<ApiAnswer> {
    return this.send({ path });
  }

  post(path: string, members: unknown): Promise<ApiAnswer> {
    return this.send({ method: "POST", path, contentType: "application/json", body: JSON.stringify(members) });
  }

  close(): void {
    this.#agent.destroy();
  }
}
