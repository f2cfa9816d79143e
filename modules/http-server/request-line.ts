import {
  ascii,
  asciiParts,
  equals,
  equalsIgnoringCase,
  isDigit,
  QUESTION,
  runEnd,
  SLASH,
  SPACE,
  TARGET,
  TOKEN,
} from "./characters";
import { isAuthority } from "./field-values";
import { MALFORMED_REQUEST_LINE, MALFORMED_TARGET, NO_PROXY, type Problem, UNKNOWN_VERSION } from "./problems";
import type { RequestHead } from "./request-head";

/** Receives the parts of a request line (RFC 9112 section 3). */
export interface RequestLineParser {
  readonly head: Pick<RequestHead, "method" | "path" | "query" | "minor">;
  /** From an absolute target: overrides the Host field (RFC 9112 section 3.2.2). */
  targetHost: string | undefined;
  /** The text from `start` to `end`. */
  text(bytes: Uint8Array, start: number, end: number): string;
  /** Counts kept bytes. */
  keep(bytes: number): Problem;
}

const PROTOCOL = ascii("HTTP/");
const DOT = 0x2e;
/** `HTTP/` digit `.` digit */
const VERSION_BYTES = 8;
const STAR = ascii("*");
const SCHEMES: readonly Uint8Array[] = Object.freeze(asciiParts(["http://", "https://"]), true);

/** Saves creating a string for each common method. */
const METHODS: readonly string[] = Object.freeze(["GET", "POST", "OPTIONS", "HEAD", "PUT", "DELETE", "PATCH"], true);
const METHOD_BYTES: readonly Uint8Array[] = Object.freeze(asciiParts(METHODS), true);

function methodOf(parser: RequestLineParser, bytes: Uint8Array, start: number, end: number): string {
  for (let index = 0; index < METHODS.length; index++)
    if (equals(bytes, start, end, METHOD_BYTES[index] as Uint8Array)) return METHODS[index] as string;
  return parser.text(bytes, start, end);
}

/** Parses the line from `start` to `end`. */
export function parseRequestLine(parser: RequestLineParser, bytes: Uint8Array, start: number, end: number): Problem {
  const methodEnd = runEnd(bytes, start, end, TOKEN);
  const target = methodEnd + 1;
  const stop = runEnd(bytes, target, end, TARGET);
  const version = stop + 1;
  if (methodEnd === start || bytes[methodEnd] !== SPACE || stop <= target || bytes[stop] !== SPACE)
    return MALFORMED_REQUEST_LINE;
  if (end - version !== VERSION_BYTES || !equals(bytes, version, version + PROTOCOL.length, PROTOCOL))
    return MALFORMED_REQUEST_LINE;
  const major = bytes[end - 3] as number;
  const minor = bytes[end - 1] as number;
  if (!isDigit(major) || bytes[end - 2] !== DOT || !isDigit(minor)) return MALFORMED_REQUEST_LINE;
  if (major !== 0x31) return UNKNOWN_VERSION;
  const { head } = parser;
  head.minor = minor - 0x30;
  head.method = methodOf(parser, bytes, start, methodEnd);
  return parser.keep(stop - start - 1) ?? parseTarget(parser, bytes, target, stop);
}

/** The four forms of a request target, RFC 9112 section 3.2. */
function parseTarget(parser: RequestLineParser, bytes: Uint8Array, start: number, end: number): Problem {
  const { head } = parser;
  if (head.method === "CONNECT") return NO_PROXY;
  if (bytes[start] !== SLASH) {
    if (equals(bytes, start, end, STAR) && head.method === "OPTIONS") {
      head.path = "*";
      return undefined;
    }
    const host = afterScheme(bytes, start);
    for (start = host; start < end && bytes[start] !== SLASH && bytes[start] !== QUESTION; start++);
    if (!host || !isAuthority(bytes, host, start)) return MALFORMED_TARGET;
    parser.targetHost = parser.text(bytes, host, start);
  }
  let pathEnd = bytes.indexOf(QUESTION, start);
  if (pathEnd < 0 || pathEnd > end) pathEnd = end;
  // Only an absolute target can have an empty path, which means "/" (RFC 9110 section 4.2.3).
  head.path = parser.text(bytes, start, pathEnd) || "/";
  head.query = parser.text(bytes, pathEnd + 1, end);
  return undefined;
}

/** Start of the authority of an absolute http target, or 0. The space after the target ends every comparison. */
function afterScheme(bytes: Uint8Array, start: number): number {
  for (const scheme of SCHEMES) {
    const end = start + scheme.length;
    if (equalsIgnoringCase(bytes, start, end, scheme)) return end;
  }
  return 0;
}
