import { ACCEPT_ENCODING, IF_NONE_MATCH } from "./fields";
import { headerBytes } from "./header-bytes";
import { acceptsGzip, matchesEtag } from "./negotiation";
import { ONLY_GZIP, statusOf, textOf } from "./problems";
import type { RequestHead } from "./request-head";
import { NO_HEADERS, Response } from "./response";
import type { Service } from "./service";
import type { HeaderLine, StaticFile } from "./types";

/* Responses the server makes itself: errors and static files. */

const VARY: readonly HeaderLine[] = Object.freeze([headerBytes([["Vary", "Accept-Encoding"]])], true);

/** The server's own error, one of problems.ts. */
export function errorResponse({ errorBody }: Service, problem: string, headers?: readonly HeaderLine[]): Response {
  const status = statusOf(problem);
  const text = textOf(problem);
  return new Response(status, "application/json", (into) => errorBody(status, text, into), headers);
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
