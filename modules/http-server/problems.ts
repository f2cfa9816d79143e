/** Request errors of RFC 9110 and 9112, as sent to the client: status and text. */

export const INTERNAL_ERROR = "500 Internal error.";
export const MALFORMED_REQUEST_LINE = "400 Malformed request line.";
export const MALFORMED_TARGET = "400 Malformed request target.";
export const REQUEST_LINE_TOO_LONG = "414 Request line too long.";
export const UNKNOWN_VERSION = "505 Only HTTP/1.1 and HTTP/1.0.";
export const BARE_CARRIAGE_RETURN = "400 Carriage return without line feed.";
export const FOLDED_LINE = "400 Folded header line.";
export const MALFORMED_FIELD = "400 Malformed header field.";
export const TOO_MANY_FIELDS = "431 Too many header fields.";
export const FIELDS_TOO_LARGE = "431 Request header fields too large.";
export const REPEATED_FIELD = "400 Repeated header field.";
export const MISSING_HOST = "400 Missing Host.";
export const MALFORMED_HOST = "400 Malformed Host.";
export const MALFORMED_CONTENT_LENGTH = "400 Malformed Content-Length.";
export const LENGTH_WITH_CODING = "400 Content-Length with Transfer-Encoding.";
export const CODING_IN_HTTP_1_0 = "400 Transfer-Encoding in HTTP/1.0.";
export const MALFORMED_CODING = "400 Malformed Transfer-Encoding.";
export const UNKNOWN_CODING = "501 Unknown transfer coding.";
export const UNKNOWN_EXPECTATION = "417 Unknown expectation.";
export const NO_PROXY = "501 This is no proxy.";
export const MALFORMED_CHUNKS = "400 Malformed chunked body.";
export const TOO_SLOW = "408 The request took too long.";
export const NO_MEMORY = "503 Not enough memory at the moment.";
export const ONLY_GZIP = "406 Only gzip is available.";

/** Functions that return one return undefined for no error. */
export type Problem = string | undefined;

export const statusOf = (problem: string): number => Number(problem.slice(0, 3));
export const textOf = (problem: string): string => problem.slice(4);
