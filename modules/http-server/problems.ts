/**
 * Request errors of RFC 9110 and 9112 by number, with the status and text sent to the client. Functions that return such a number return 0
 * for no error.
 */

export const INTERNAL_ERROR = 0;
export const MALFORMED_REQUEST_LINE = 1;
export const MALFORMED_TARGET = 2;
export const REQUEST_LINE_TOO_LONG = 3;
export const UNKNOWN_VERSION = 4;
export const BARE_CARRIAGE_RETURN = 5;
export const FOLDED_LINE = 6;
export const MALFORMED_FIELD = 7;
export const TOO_MANY_FIELDS = 8;
export const FIELDS_TOO_LARGE = 9;
export const REPEATED_FIELD = 10;
export const MISSING_HOST = 11;
export const MALFORMED_HOST = 12;
export const MALFORMED_CONTENT_LENGTH = 13;
export const LENGTH_WITH_CODING = 14;
export const CODING_IN_HTTP_1_0 = 15;
export const MALFORMED_CODING = 16;
export const UNKNOWN_CODING = 17;
export const UNKNOWN_EXPECTATION = 18;
export const NO_PROXY = 19;
export const MALFORMED_CHUNKS = 20;
export const TOO_SLOW = 21;
export const ONLY_GZIP = 22;

/** By number: status and error text. */
const PROBLEMS: readonly string[] = Object.freeze(
  [
    "500 Internal error.",
    "400 Malformed request line.",
    "400 Malformed request target.",
    "414 Request line too long.",
    "505 Only HTTP/1.1 and HTTP/1.0.",
    "400 Carriage return without line feed.",
    "400 Folded header line.",
    "400 Malformed header field.",
    "431 Too many header fields.",
    "431 Request header fields too large.",
    "400 Repeated header field.",
    "400 Missing Host.",
    "400 Malformed Host.",
    "400 Malformed Content-Length.",
    "400 Content-Length with Transfer-Encoding.",
    "400 Transfer-Encoding in HTTP/1.0.",
    "400 Malformed Transfer-Encoding.",
    "501 Unknown transfer coding.",
    "417 Unknown expectation.",
    "501 This is no proxy.",
    "400 Malformed chunked body.",
    "408 The request took too long.",
    "406 Only gzip is available.",
  ],
  true,
);

const TEXT_AT = 4;

export const statusOf = (problem: number): number => Number((PROBLEMS[problem] as string).slice(0, TEXT_AT));
export const textOf = (problem: number): string => (PROBLEMS[problem] as string).slice(TEXT_AT);
