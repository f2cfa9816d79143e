/** Reason phrases, RFC 9110 section 15 and RFC 6585, of the statuses in use. Other statuses are sent without. */
const PHRASES = [
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
  "",
].join("\r\n");

/** RFC 9112 section 4: the reason phrase is optional, the space before it is not. */
export function statusLine(status: number): string {
  const at = PHRASES.indexOf(`${status} `);
  return `HTTP/1.1 ${at < 0 ? `${status} ` : PHRASES.slice(at, PHRASES.indexOf("\r", at))}\r\n`;
}
