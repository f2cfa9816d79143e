import { lowerCase } from "ascii/case";
import type { ClientSocket } from "./client-socket";
import { ACCEPT_ENCODING, IF_NONE_MATCH } from "./fields";
import { headerLines } from "./header-lines";
import { RETRY_AFTER_SECONDS } from "./limits";
import { ONLY_GZIP, statusOf, textOf } from "./problems";
import type { RequestHead } from "./request-head";
import { NO_HEADERS, Response } from "./response";
import { JSON_TYPE, SIZED, writeFields } from "./response-head";
import type { Service } from "./service";
import type { HeaderLine, StaticFile } from "./types";

/* Responses the server makes itself: errors, refusals and static files. */

const VARY: readonly HeaderLine[] = Object.freeze([headerLines([["Vary", "Accept-Encoding"]])], true);

export const RETRY_AFTER: readonly HeaderLine[] = Object.freeze(
  [headerLines([["Retry-After", RETRY_AFTER_SECONDS.toString()]])],
  true,
);

/** The server's own error, one of problems.ts. */
export function errorResponse({ errorBody }: Service, problem: string, headers?: readonly HeaderLine[]): Response {
  const status = statusOf(problem);
  const text = textOf(problem);
  return new Response(status, JSON_TYPE, (into) => errorBody(status, text, into), headers);
}

/** Sends a 503, as far as the send window takes it. */
export function refuse(service: Service, socket: ClientSocket): void {
  const { frame } = service;
  try {
    const length = service.errorBody(503, "Too many connections.", frame.body);
    writeFields(frame, 503, JSON_TYPE, RETRY_AFTER, SIZED);
    if (socket.write(frame.message(length, length))) service.counters.response(503);
  } catch (error) {
    service.fault(error);
  }
}

/** The file: 200, 304 when the client has it already, 406 when the client refuses gzip. */
export function fileResponse(
  service: Service,
  { method, values }: RequestHead,
  file: StaticFile,
  headers = NO_HEADERS,
): Response {
  if (!acceptsGzip(values[ACCEPT_ENCODING])) return errorResponse(service, ONLY_GZIP, [...VARY, ...headers]);
  if ((method === "GET" || method === "HEAD") && matchesEtag(values[IF_NONE_MATCH], file.etag))
    return new Response(304, undefined, file, headers);
  return new Response(200, file.type, file, headers);
}

/**
 * Whether an Accept-Encoding (RFC 9110 section 12.5.3) accepts gzip: listed with a weight above 0, or not listed while `*` is accepted.
 * Without the field every coding is accepted.
 */
export function acceptsGzip(value: string | undefined): boolean {
  if (value === undefined) return true;
  let any = false;
  for (const element of lowerCase(value).split(",")) {
    const [name = "", parameter = ""] = element.split(";");
    const weight = parameter.trim();
    const taken = !weight.startsWith("q=") || Number(weight.slice(2)) > 0;
    const coding = name.trim();
    if (coding === "gzip" || coding === "x-gzip") return taken;
    if (coding === "*") any = taken;
  }
  return any;
}

/** Whether an If-None-Match (RFC 9110 section 13.1.2) matches `etag`, by weak comparison (section 8.8.3.2), or is `*`. */
export function matchesEtag(value: string | undefined, etag: string): boolean {
  if (value === undefined) return false;
  if (value === "*") return true;
  const opaque = etag.startsWith("W/") ? etag.slice(2) : etag;
  for (let at = 0; at < value.length;) {
    while (value[at] === " " || value[at] === "\t") at++;
    if (value.startsWith("W/", at)) at += 2;
    if (value[at] === '"') {
      const close = value.indexOf('"', at + 1);
      if (close < 0) return false;
      if (value.slice(at, close + 1) === opaque) return true;
      at = close + 1;
    }
    const comma = value.indexOf(",", at);
    if (comma < 0) return false;
    at = comma + 1;
  }
  return false;
}
