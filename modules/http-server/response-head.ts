import type { ResponseFrame } from "./response-frame";
import type { HeaderLine, StaticFile } from "./types";

const CONTENT_TYPE = "Content-Type: ";
const CONTENT_LENGTH = "Content-Length: ";
const CHUNKED = "Transfer-Encoding: chunked\r\n";
const GZIP = "Content-Encoding: gzip\r\n";
const ETAG = "ETag: ";
const CACHE_CONTROL = "Cache-Control: ";
const VARY = "Vary: Accept-Encoding\r\n";
const CLOSE = "Connection: close\r\n";
const KEEP_ALIVE = "Connection: keep-alive\r\n";
export const JSON_TYPE = "application/json";
const JSON_TYPE_LINE = "Content-Type: application/json\r\n";

/* Flags that determine the header lines, besides status, type and the handler's own lines. */

/** The body's length is known. */
export const SIZED = 1;
/** For an HTTP/1.0 client. */
export const OLD = 2;
/** The connection stays open. */
export const PERSISTENT = 4;

export const isBodiless = (status: number): boolean => status === 204 || status === 304;

/** Writes a response's head without its last value, the body's length. */
export const writeFields = (
  frame: ResponseFrame,
  status: number,
  type: string | undefined,
  headers: readonly HeaderLine[],
  options: number,
  file?: StaticFile,
): void => {
  const old = (options & OLD) !== 0;
  const sized = (options & SIZED) !== 0;
  frame.begin(status);
  if (type === JSON_TYPE) frame.add(JSON_TYPE_LINE);
  else if (type !== undefined) frame.textField(CONTENT_TYPE, type);
  if (!isBodiless(status)) {
    if (!sized && !old) frame.add(CHUNKED);
    if (file) frame.add(GZIP);
  }
  if (file) frame.textField(ETAG, file.etag).textField(CACHE_CONTROL, file.cacheControl).add(VARY);
  for (let index = 0; index < headers.length; index++) {
    const line = headers[index] as HeaderLine;
    if (typeof line === "string") frame.add(line);
    else frame.field(line[0], line[1]);
  }
  if (!(options & PERSISTENT)) frame.add(CLOSE);
  else if (old) frame.add(KEEP_ALIVE);
  if (sized) frame.add(CONTENT_LENGTH);
};
