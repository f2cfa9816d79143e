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

interface Problem {
  readonly status: number;
  readonly text: string;
}

const PROBLEMS: readonly Problem[] = Object.freeze(
  [
    { status: 500, text: "Internal error." },
    { status: 400, text: "Malformed request line." },
    { status: 400, text: "Malformed request target." },
    { status: 414, text: "Request line too long." },
    { status: 505, text: "Only HTTP/1.1 and HTTP/1.0." },
    { status: 400, text: "Carriage return without line feed." },
    { status: 400, text: "Folded header line." },
    { status: 400, text: "Malformed header field." },
    { status: 431, text: "Too many header fields." },
    { status: 431, text: "Request header fields too large." },
    { status: 400, text: "Repeated header field." },
    { status: 400, text: "Missing Host." },
    { status: 400, text: "Malformed Host." },
    { status: 400, text: "Malformed Content-Length." },
    { status: 400, text: "Content-Length with Transfer-Encoding." },
    { status: 400, text: "Transfer-Encoding in HTTP/1.0." },
    { status: 400, text: "Malformed Transfer-Encoding." },
    { status: 501, text: "Unknown transfer coding." },
    { status: 417, text: "Unknown expectation." },
    { status: 501, text: "This is no proxy." },
    { status: 400, text: "Malformed chunked body." },
    { status: 408, text: "The request took too long." },
    { status: 406, text: "Only gzip is available." },
  ],
  true,
);

export const problem = (number: number): Problem => PROBLEMS[number] as Problem;
