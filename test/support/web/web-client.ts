/** A headless client: keeps the session cookie and sends the origin of its requests. */
import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import type { System } from "../system/system";

export interface WebAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // The tests inspect documents of every shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

export interface WebRequest {
  readonly body?: unknown;
  /** Headers with an undefined value are not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** The device's console output, needed to choose the first password. */
export function setUpCode(console: readonly string[]): string {
  const codes = [...console.join("\n").matchAll(/set-up code (\w+)/g)];
  const code = codes.at(-1)?.[1];
  if (code === undefined) throw new Error("the console shows no set-up code");
  return code;
}

export class WebClient {
  readonly #url: string;
  readonly #from: string;
  /** As in a Cookie header. */
  cookie: string | undefined;

  /** `from`: the client's address, in 127.0.0.0/8. */
  constructor({ url }: Pick<System, "url">, from = "127.0.0.1") {
    this.#from = from;
    this.#url = url;
  }

  /** Headers of a browser's request from the page. */
  #headers(method: string, { body, headers = {} }: WebRequest): Record<string, string> {
    const all: Record<string, string | undefined> = {
      "sec-fetch-site": "same-origin",
      ...(method !== "GET" && method !== "HEAD" && { origin: this.#url }),
      ...(this.cookie !== undefined && { cookie: this.cookie }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    };
    return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  /** Resolves when the response head has arrived, before the body. */
  open(method: string, path: string, request: WebRequest = {}): Promise<IncomingMessage> {
    const { body } = request;
    const bytes = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const headers = this.#headers(method, request);
    if (bytes !== undefined) headers["content-length"] = String(Buffer.byteLength(bytes));
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(this.#url + path, { method, headers, agent: false, localAddress: this.#from });
      outgoing.on("response", resolve).on("error", reject).end(bytes);
    });
  }

  async send(method: string, path: string, request: WebRequest = {}): Promise<WebAnswer> {
    return this.#answer(await this.open(method, path, request));
  }

  /** Starts an upload of `size` bytes; the caller writes them at any pace. */
  upload(
    path: string,
    size: number,
    more: WebRequest["headers"] = {},
  ): { request: ClientRequest; answer: Promise<WebAnswer> } {
    const headers = this.#headers("POST", {
      headers: { "content-type": "application/octet-stream", "content-length": String(size), ...more },
    });
    const request = httpRequest(this.#url + path, { method: "POST", headers, agent: false });
    const incoming = new Promise<IncomingMessage>((resolve, reject) => {
      request.on("response", resolve).on("error", reject);
    });
    request.flushHeaders();
    return { request, answer: incoming.then((answer) => this.#answer(answer)) };
  }

  async #answer(incoming: IncomingMessage): Promise<WebAnswer> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString("utf8");
    const set = incoming.headers["set-cookie"]?.[0];
    if (set !== undefined) this.cookie = set.split(";")[0];
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    const headers = new Headers(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]),
    );
    return { status: incoming.statusCode ?? 0, headers, text, json };
  }

  get(path: string): Promise<WebAnswer> {
    return this.send("GET", path);
  }

  post(path: string, body: unknown): Promise<WebAnswer> {
    return this.send("POST", path, { body });
  }

  signIn(password: string): Promise<WebAnswer> {
    return this.post("/web/session", { password });
  }
}
