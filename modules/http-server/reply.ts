import { headerBytes } from "./header-bytes";
import { FAILED, SETTLED, SOURCE_DRY } from "./numbers";
import type { Request } from "./request";
import { HEAD, isMethod, isPersistent } from "./request-head";
import { type Response, SOURCE_EMPTY } from "./response";
import type { Service } from "./service";
import type { HeaderLine, StaticFile } from "./types";
import { settleUpload } from "./upload";

/* What the response to a request is when the handler does not say it all, and how it gets out. */

const JSON_TYPE = "application/json";
const VARY: readonly HeaderLine[] = Object.freeze([headerBytes([["Vary", "Accept-Encoding"]])], true);
const NO_HEADERS: readonly HeaderLine[] = Object.freeze([], true);

/** An error that the server itself answers with. */
export function setError(
  response: Response,
  service: Service,
  status: number,
  text: string,
  headers?: readonly HeaderLine[],
): void {
  response.set(status, JSON_TYPE, (into) => service.errorBody(status, text, into), headers);
}

/** The file, or that the client has it, or that it takes it only as it is not there. */
export function setFile(response: Response, request: Request, file: StaticFile, headers = NO_HEADERS): void {
  if (!request.acceptsGzip) setError(response, request.service, 406, "Only gzip is available.", [...VARY, ...headers]);
  else if (request.has(file.etag)) response.set(304, undefined, file, headers);
  else response.set(200, file.type, file, headers);
}

/**
 * Sends as much of the response as can go, and tells how far it got (response.ts). The first time it is settled whether another request
 * may follow. Throws what the response's body throws.
 */
export function sendReply(response: Response, request: Request): number {
  const { numbers } = request;
  if (!numbers[SETTLED]) {
    numbers[SETTLED] = 1;
    const persistent = !numbers[FAILED] && isPersistent(numbers) && settleUpload(request);
    response.prepare(persistent, isMethod(request, HEAD));
  }
  if (numbers[SOURCE_DRY]) return SOURCE_EMPTY;
  const { started } = response;
  const result = response.send(request.channel);
  if (!started && response.started) request.service.counters.response(response.status);
  numbers[SOURCE_DRY] = result === SOURCE_EMPTY ? 1 : 0;
  return result;
}
