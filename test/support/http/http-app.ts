import { ascii } from "http-server/characters";
import type { BodySource, Exchange, Handler, KeptHeader, StaticFile } from "http-server/types";
import { unhex } from "../hex";

/** A small application that exercises all of an Exchange, on every engine. */

export const FILE_TEXT = "The quick brown fox jumps over the lazy dog. ".repeat(10);
/** Larger than any send window. */
export const BIG_FILE_BYTES = 40_000;

const bigFile = Uint8Array.from({ length: BIG_FILE_BYTES }, (_, index) => (index * 7 + (index >> 8)) & 255);

export const FILE: StaticFile = Object.freeze({
  // FILE_TEXT compressed: the device's engine has no gzip.
  gzip: unhex(
    "1F 8B 08 00 00 00 00 00 02 03 0B C9 48 55 28 2C CD 4C CE 56 48 2A CA 2F CF 53 48 CB AF 50 C8 2A CD 2D 28 56 " +
      "C8 2F 4B 2D 52 28 C9 48 55 C8 49 AC AA 54 48 C9 4F D7 53 08 19 55 3C F8 14 03 00 8B 18 09 E8 C2 01 00 00",
  ),
  type: "text/html; charset=utf-8",
  etag: '"abc"',
  cacheControl: "no-cache",
});

export const BIG_FILE: StaticFile = Object.freeze({
  ...FILE,
  gzip: bigFile,
  type: "application/octet-stream",
  etag: '"big"',
});

export const text =
  (value: string) =>
  (into: Uint8Array): number => {
    const bytes = ascii(value);
    into.set(bytes);
    return bytes.length;
  };

/** Streams `pieces` in order; `closed` counts the calls of close. */
export class Pieces implements BodySource {
  closed = 0;
  reads = 0;
  #at = 0;
  readonly #pieces: Uint8Array[];
  declare readonly length?: number;

  constructor(pieces: readonly string[], length?: number) {
    this.#pieces = pieces.map(ascii);
    if (length !== undefined) this.length = length;
  }

  read(into: Uint8Array): number {
    this.reads++;
    const piece = this.#pieces[this.#at];
    if (!piece) return 0;
    const part = piece.subarray(0, into.length);
    into.set(part);
    if (part.length === piece.length) this.#at++;
    else this.#pieces[this.#at] = piece.subarray(part.length);
    return part.length;
  }

  close(): void {
    this.closed++;
  }
}

const KEPT: readonly KeptHeader[] = Object.freeze([
  "accept-encoding",
  "authorization",
  "content-length",
  "content-type",
  "cookie",
  "host",
  "if-none-match",
  "origin",
  "sec-fetch-site",
  "x-forwarded-for",
] as const);

/** Everything an exchange exposes about its request, as JSON. */
function describe(exchange: Exchange): string {
  const { method, path, query } = exchange;
  const headers = Object.fromEntries(KEPT.map((name) => [name, exchange.header(name)]));
  return JSON.stringify({ method, path, query, headers });
}

export const LIMIT = 256;

export const app: Handler = (exchange) => {
  const { method, path } = exchange;
  if (exchange.header("authorization")) exchange.trust();
  if (method === "OPTIONS") return exchange.respond(204, undefined, undefined, [["Allow", "GET, POST, OPTIONS"]]);
  switch (path) {
    case "/about":
      return exchange.respond(200, "application/json", text(describe(exchange)));
    case "/full":
      return exchange.respond(200, "text/plain", (into) => into.fill(0x78).length);
    case "/empty":
      return exchange.respond(204);
    case "/nothing":
      return exchange.respond(200);
    case "/file":
      return exchange.respondFile(FILE);
    case "/bigfile":
      return exchange.respondFile(BIG_FILE);
    case "/stream":
      return exchange.respond(200, "text/plain", new Pieces(["one,", "two,", "three"]));
    case "/length":
      return exchange.respond(200, "text/plain", new Pieces(["one,", "two,", "three"], 13));
    case "/private":
      return exchange.respond(401, "application/json", text(`{"success":false}`));
    case "/throw":
      throw new Error("thrown on purpose");
    case "/echo":
      if (method !== "POST") return exchange.respond(405, undefined, undefined, [["Allow", "POST"]]);
      return exchange.receive(LIMIT, (body) => {
        if (!body) return exchange.respond(413, "text/plain", text("too large"));
        const copy = body.slice();
        exchange.respond(200, "text/plain", (into) => {
          into.set(copy);
          return copy.length;
        });
      });
    default:
      return exchange.respond(404, "text/plain", text("not found"));
  }
};
