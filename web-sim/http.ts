/** HTTP/1.1 as bytes: the service worker's side of a connection (RFC 9112). */
import type { Segment } from "./sockets";

/** Not passed on: the browser's own business, or said anew. */
const OWN = ["host", "connection", "content-length", "transfer-encoding", "cookie", "origin", "accept-encoding"];

export interface RequestLines {
  readonly method: string;
  readonly target: string;
  readonly host: string;
  readonly origin: string;
  readonly cookie: string;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body: Uint8Array;
}

export function bytesOfRequest({ method, target, host, origin, cookie, headers, body }: RequestLines): Uint8Array {
  const reads = method === "GET" || method === "HEAD";
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    "Connection: close",
    "Sec-Fetch-Site: same-origin",
    ...(reads ? [] : [`Origin: ${origin}`, `Content-Length: ${body.length}`]),
    ...(cookie ? [`Cookie: ${cookie}`] : []),
    ...[...headers].filter(([name]) => !OWN.includes(name)).map(([name, value]) => `${name}: ${value}`),
  ];
  const head = new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/** What comes on a connection, in order; acknowledged as it is taken, so that the firmware's window closes for a reader that is slow. */
export class Incoming {
  readonly #port: MessagePort;
  #segments: (Uint8Array | null | Error)[] = [];
  #wake: (() => void) | undefined;
  #rest = new Uint8Array(0);

  constructor(port: MessagePort) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<Segment>) => {
      if (typeof data === "number") return;
      this.#segments.push(data === "reset" ? new Error("the device has closed the connection") : data);
      this.#wake?.();
    };
  }

  /** The next bytes; undefined: the end. Throws after a reset. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#rest.length) {
      const rest = this.#rest;
      this.#rest = new Uint8Array(0);
      return rest;
    }
    while (!this.#segments.length) await new Promise<void>((resolve) => (this.#wake = resolve));
    const segment = this.#segments.shift();
    if (segment instanceof Error) throw segment;
    if (!segment) return undefined;
    this.#port.postMessage(segment.length);
    return segment as Uint8Array<ArrayBuffer>;
  }

  /** Up to the next CRLF, without it. */
  async line(): Promise<string> {
    let line = "";
    for (let bytes = await this.next(); bytes; bytes = await this.next()) {
      const end = bytes.indexOf(0x0a);
      const text = String.fromCharCode(...(end < 0 ? bytes : bytes.subarray(0, end)));
      line += text;
      if (end < 0) continue;
      this.#rest = bytes.slice(end + 1);
      return line.endsWith("\r") ? line.slice(0, -1) : line;
    }
    throw new Error("the device has ended the connection");
  }

  /** At most so many of the next bytes. */
  async some(most: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.next();
    if (!bytes) throw new Error("the device has ended the connection");
    if (bytes.length > most) this.#rest = bytes.slice(most);
    return bytes.subarray(0, most);
  }

  close(): void {
    this.#port.postMessage("reset");
    this.#port.close();
  }
}

export interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: [name: string, value: string][];
}

export async function readHead(incoming: Incoming): Promise<Head> {
  const [, code = "", ...words] = (await incoming.line()).split(" ");
  const headers: Head["headers"] = [];
  for (let line = await incoming.line(); line; line = await incoming.line()) {
    const colon = line.indexOf(":");
    headers.push([line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return { status: Number(code), statusText: words.join(" "), headers };
}

/** The parts of a body, by its length, its chunks or the end of the connection. */
export async function* bodyOf(
  incoming: Incoming,
  { headers }: Head,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const header = (wanted: string): string | undefined => headers.find(([name]) => name === wanted)?.[1];
  const take = async function* (length: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    for (let left = length; left > 0;) {
      const bytes = await incoming.some(left);
      left -= bytes.length;
      yield bytes;
    }
  };
  const length = header("content-length");
  if (length !== undefined) return yield* take(Number(length));
  if (header("transfer-encoding") === undefined) {
    for (let bytes = await incoming.next(); bytes; bytes = await incoming.next()) yield bytes;
    return;
  }
  for (;;) {
    const chunk = parseInt(await incoming.line(), 16);
    if (!chunk) return;
    yield* take(chunk);
    await incoming.line();
  }
}
