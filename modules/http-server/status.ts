import { asciiParts } from "./characters";

/** Reason phrases, RFC 9110 section 15 and RFC 6585. */
const REASONS: Readonly<Record<number, string>> = Object.freeze(
  {
    200: "OK",
    201: "Created",
    202: "Accepted",
    204: "No Content",
    206: "Partial Content",
    301: "Moved Permanently",
    302: "Found",
    303: "See Other",
    304: "Not Modified",
    307: "Temporary Redirect",
    308: "Permanent Redirect",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    406: "Not Acceptable",
    408: "Request Timeout",
    409: "Conflict",
    411: "Length Required",
    412: "Precondition Failed",
    413: "Content Too Large",
    414: "URI Too Long",
    415: "Unsupported Media Type",
    417: "Expectation Failed",
    421: "Misdirected Request",
    422: "Unprocessable Content",
    428: "Precondition Required",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable",
    505: "HTTP Version Not Supported",
    507: "Insufficient Storage",
  },
  true,
);

const PHRASES = Object.freeze(Object.entries(REASONS), true);

const LINES: Readonly<Record<number, Uint8Array>> = Object.freeze(
  Object.fromEntries(
    asciiParts(PHRASES.map(([status, reason]) => `HTTP/1.1 ${status} ${reason}\r\n`)).map((line, index) => [
      PHRASES[index]?.[0],
      line,
    ]),
  ),
  true,
);

/** The status line of `status`; undefined if it has no reason phrase here. */
export const statusLine = (status: number): Uint8Array | undefined => LINES[status];
