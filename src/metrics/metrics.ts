import { headerBytes } from "http-server/header-bytes";
import type { Exchange, HeaderLine } from "http-server/types";
import type { Parts } from "./family";
import { MetricsReader } from "./metrics-reader";

const PATH = "/metrics";
const TYPE = "text/plain; version=0.0.4; charset=utf-8";
const HEADERS: readonly HeaderLine[] = Object.freeze<readonly HeaderLine[]>(
  [headerBytes([["Cache-Control", "no-store"]])],
  true,
);
const METHOD_HEADERS: readonly HeaderLine[] = Object.freeze<readonly HeaderLine[]>(
  [headerBytes([["Allow", "GET, HEAD"]])],
  true,
);

export interface MetricsOptions extends Parts {
  /** Checks access; false: the request has been answered. Shared with the REST interface, which uses the same token. */
  admit(exchange: Exchange): boolean;
}

/** Prometheus endpoint, GET /metrics. False: the path is another one and the request has not been answered. */
export function answerMetrics(options: MetricsOptions, exchange: Exchange): boolean {
  if (exchange.path !== PATH) return false;
  const { method } = exchange;
  if (!options.admit(exchange)) return true;
  if (method === "GET" || method === "HEAD") exchange.respond(200, TYPE, new MetricsReader(options), HEADERS);
  else exchange.respond(405, undefined, undefined, METHOD_HEADERS);
  return true;
}
