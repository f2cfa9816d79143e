import { ascii, asciiParts } from "./characters";

/** Reason phrases, RFC 9110 section 15 and RFC 6585, of the statuses in use; each takes some 100 bytes of flash. Other statuses are sent without. */
const PHRASES: readonly string[] = Object.freeze(
  [
    "200 OK",
    "202 Accepted",
    "204 No Content",
    "302 Found",
    "304 Not Modified",
    "400 Bad Request",
    "401 Unauthorized",
    "403 Forbidden",
    "404 Not Found",
    "405 Method Not Allowed",
    "406 Not Acceptable",
    "408 Request Timeout",
    "409 Conflict",
    "411 Length Required",
    "413 Content Too Large",
    "414 URI Too Long",
    "415 Unsupported Media Type",
    "417 Expectation Failed",
    "421 Misdirected Request",
    "429 Too Many Requests",
    "431 Request Header Fields Too Large",
    "500 Internal Server Error",
    "501 Not Implemented",
    "503 Service Unavailable",
    "505 HTTP Version Not Supported",
  ],
  true,
);

const LINES: Readonly<Record<string, Uint8Array>> = Object.freeze(
  Object.fromEntries(
    asciiParts(PHRASES.map((phrase) => `HTTP/1.1 ${phrase}\r\n`)).map((line, at) => [PHRASES[at]?.slice(0, 3), line]),
  ),
  true,
);

/** RFC 9112 section 4: the reason phrase is optional, the space before it is not. */
export const statusLine = (status: number): Uint8Array => LINES[status] ?? ascii(`HTTP/1.1 ${status} \r\n`);
