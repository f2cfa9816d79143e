import { ACCEPT_ENCODING, IF_NONE_MATCH } from "./fields";
import { headerBytes } from "./header-bytes";
import { acceptsGzip, matchesEtag } from "./negotiation";
import { ONLY_GZIP, problem } from "./problems";
import type { RequestHead } from "./request-head";
import { NO_HEADERS, type Response } from "./response";
import type { Service } from "./service";
import type { HeaderLine, StaticFile } from "./types";

/* Responses the server makes itself: errors and static files. */

const VARY: readonly HeaderLine[] = Object.freeze([headerBytes([["Vary", "Accept-Encoding"]])], true);

/** Answers with the server's own error `number` (problems.ts). */
export function setError(response: Response, service: Service, number: number, headers?: readonly HeaderLine[]): void {
  const { status, text } = problem(number);
  response.set(status, "application/json", (into) => service.errorBody(status, text, into), headers);
}

/** Answers with the file: 200, 304 when the client has it already, 406 when the client refuses gzip. */
export function setFile(
  response: Response,
  service: Service,
  head: RequestHead,
  file: StaticFile,
  headers = NO_HEADERS,
): void {
  if (!acceptsGzip(head.value(ACCEPT_ENCODING))) setError(response, service, ONLY_GZIP, [...VARY, ...headers]);
  else if ((head.method === "GET" || head.method === "HEAD") && matchesEtag(head.value(IF_NONE_MATCH), file.etag))
    response.set(304, undefined, file, headers);
  else response.set(200, file.type, file, headers);
}
