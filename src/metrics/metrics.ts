import { RETRY_AFTER } from "http-server/answers";
import { headerLines } from "http-server/header-lines";
import type { Exchange, HeaderLine } from "http-server/types";
import { packAt } from "../endpoints/packs";
import type { Parts } from "./family";
import { MetricsReader } from "./metrics-reader";

const PATH = "/metrics";
const PACK = "pack=";
const TYPE = "text/plain; version=0.0.4; charset=utf-8";
const HEADERS: readonly HeaderLine[] = Object.freeze<readonly HeaderLine[]>(
  [headerLines([["Cache-Control", "no-store"]])],
  true,
);
const METHOD_HEADERS: readonly HeaderLine[] = Object.freeze<readonly HeaderLine[]>(
  [headerLines([["Allow", "GET, HEAD"]])],
  true,
);

/** Checks access: the REST interface, which uses the same tokens. */
export interface Gate {
  /** False: the request has been answered. */
  admit(exchange: Exchange): boolean;
}

/** Prometheus endpoint, GET /metrics; with `?pack=` and an address, all that is known of that pack. False: the path is another one and the request has not been answered. */
export function answerMetrics(exchange: Exchange, parts: Parts, gate: Gate): boolean {
  if (exchange.path !== PATH) return false;
  const { method } = exchange;
  if (!gate.admit(exchange)) return true;
  if (method === "GET" || method === "HEAD") {
    const { query } = exchange;
    const { monitor, scrapes } = parts;
    const pack = packAt(monitor, query, PACK);
    if (!pack && query.startsWith(PACK)) exchange.respond(404, undefined, undefined, HEADERS);
    else
      scrapes.take(
        exchange,
        () =>
          exchange.respond(
            200,
            TYPE,
            new MetricsReader(pack ?? monitor.packs[0], pack ? undefined : parts, scrapes),
            HEADERS,
          ),
        () => exchange.respond(503, undefined, undefined, RETRY_AFTER),
      );
  } else exchange.respond(405, undefined, undefined, METHOD_HEADERS);
  return true;
}
