import {
  ascii,
  COMMA,
  elementEnd,
  equals,
  equalsIgnoringCase,
  isAuthority,
  isDigit,
  QUESTION,
  SEMICOLON,
  skipBlanks,
  SLASH,
  SPACE,
  trimBlanks,
} from "./characters";
import {
  CONNECTION,
  CONTENT_LENGTH as CONTENT_LENGTH_FIELD,
  COOKIE,
  EXPECT,
  HOST,
  isList,
  KEPT_FIELDS,
  TRANSFER_ENCODING,
  UNKNOWN_FIELD,
} from "./fields";
import { MAX_CONTENT_LENGTH_DIGITS, MAX_KEPT_BYTES } from "./limits";
import type { Memory } from "./memory";
import {
  ASKS_CLOSE,
  ASKS_KEEP_ALIVE,
  CODING,
  CONTENT_LENGTH,
  EXPECTS_CONTINUE,
  KEPT,
  LONGEST,
  MAJOR,
  METHOD_END,
  MINOR,
  type Numbers,
  PATH_END,
  PATH_START,
  PROBLEM,
  QUERY_END,
  SEEN,
  TARGET_END,
  VALUES,
} from "./numbers";
import {
  CODING_IN_HTTP_1_0,
  FIELDS_TOO_LARGE,
  LENGTH_WITH_CODING,
  MALFORMED_CODING,
  MALFORMED_CONTENT_LENGTH,
  MALFORMED_HOST,
  MALFORMED_TARGET,
  MISSING_HOST,
  NO_PROXY,
  REPEATED_FIELD,
  UNKNOWN_CODING,
  UNKNOWN_EXPECTATION,
} from "./problems";

/*
 * What is kept of a request's head, in the first MAX_KEPT_BYTES of the connection's bytes: method, target and the values of the kept
 * fields, one after another, made into strings only when they are asked for. And the rules that a head must obey as a whole.
 */

/** So that the usual methods cost no string each. */
const METHODS: readonly string[] = Object.freeze(["GET", "POST", "OPTIONS", "HEAD", "PUT", "DELETE", "PATCH"], true);
const METHOD_BYTES: readonly Uint8Array[] = Object.freeze(METHODS.map(ascii), true);
export const GET = 0;
export const OPTIONS = 2;
export const HEAD = 3;

const CONNECT = ascii("CONNECT");
const CLOSE = ascii("close");
const KEEP_ALIVE = ascii("keep-alive");
const CHUNKED = ascii("chunked");
const CONTINUE = ascii("100-continue");
const STAR = ascii("*");
const HTTP = ascii("http://");
const HTTPS = ascii("https://");

/** What a Transfer-Encoding asks for. */
const CODING_NONE = 0;
export const CODING_CHUNKED = 1;
const CODING_UNKNOWN = 2;
const CODING_BAD = 3;

/** The next request begins. */
export function resetHead(numbers: Numbers): void {
  numbers.fill(0, KEPT, VALUES + 2 * KEPT_FIELDS);
  numbers[MAJOR] = numbers[MINOR] = 1;
  numbers[CONTENT_LENGTH] = -1;
}

/** The connection may serve another request (RFC 9112 section 9.3). */
export const isPersistent = (numbers: Numbers): boolean =>
  !numbers[ASKS_CLOSE] && (numbers[MINOR] > 0 || numbers[ASKS_KEEP_ALIVE] > 0);

/** The method, when it is one of the usual ones. */
export function knownMethod(memory: Memory): string | undefined {
  for (let method = 0; method < METHODS.length; method++) if (isMethod(memory, method)) return METHODS[method];
  return undefined;
}

/** `method` is GET, OPTIONS or HEAD of the above. */
export const isMethod = ({ bytes, numbers }: Memory, method: number): boolean =>
  equals(bytes, 0, numbers[METHOD_END], METHOD_BYTES[method] as Uint8Array);

/** Start of the value of a kept field, or 0 when the request has none. */
export const valueStart = (numbers: Numbers, field: number): number => numbers[VALUES + 2 * field] as number;

export const valueEnd = (numbers: Numbers, field: number): number => numbers[VALUES + 2 * field + 1] as number;

/** Keeps the bytes from `from` to `to`. */
export function keep({ bytes, numbers }: Memory, from: number, to: number): void {
  const used = numbers[KEPT];
  if (used + to - from > MAX_KEPT_BYTES) numbers[PROBLEM] = FIELDS_TOO_LARGE;
  else {
    bytes.copyWithin(used, from, to);
    numbers[KEPT] = used + to - from;
  }
}

/** A whole line of `field` is there; its value was kept from `start` on. */
export function takeField(memory: Memory, field: number, start: number): void {
  if (field === UNKNOWN_FIELD) return;
  const { bytes, numbers } = memory;
  const repeated = has(numbers, field);
  numbers[SEEN] |= 1 << field;
  if (repeated && !isList(field)) {
    numbers[PROBLEM] = REPEATED_FIELD;
    return;
  }
  const end = (numbers[KEPT] = trimBlanks(bytes, start, numbers[KEPT]));
  if (field < KEPT_FIELDS) {
    if (repeated) start = join(memory, field, start);
    if (numbers[PROBLEM]) return;
    setValue(numbers, field, start, numbers[KEPT]);
    if (field === CONTENT_LENGTH_FIELD) parseContentLength(memory, start, end);
    else if (field === HOST && !isAuthority(bytes, start, end)) numbers[PROBLEM] = MALFORMED_HOST;
    return;
  }
  if (field === CONNECTION) parseConnection(memory, start, end);
  else if (field === EXPECT) numbers[EXPECTS_CONTINUE] = equalsIgnoringCase(bytes, start, end, CONTINUE) ? 1 : 0;
  else if (field === TRANSFER_ENCODING) numbers[CODING] = codingOf(bytes, start, end);
  numbers[KEPT] = start;
}

/** The head is complete: what its parts ask for together. */
export function finishHead(memory: Memory): void {
  const { numbers } = memory;
  numbers[PROBLEM] = problemOfFields(numbers) || problemOfTarget(memory);
  // RFC 9110 section 10.1.1: in an HTTP/1.0 request the expectation is ignored.
  if (numbers[MINOR] === 0) numbers[EXPECTS_CONTINUE] = 0;
  else if (!numbers[PROBLEM] && has(numbers, EXPECT) && !numbers[EXPECTS_CONTINUE])
    numbers[PROBLEM] = UNKNOWN_EXPECTATION;
}

function problemOfFields(numbers: Numbers): number {
  if (numbers[MINOR] > 0 && !has(numbers, HOST)) return MISSING_HOST;
  if (numbers[CODING] === CODING_NONE) return 0;
  if (numbers[MINOR] === 0) return CODING_IN_HTTP_1_0;
  if (has(numbers, CONTENT_LENGTH_FIELD)) return LENGTH_WITH_CODING;
  if (numbers[CODING] === CODING_BAD) return MALFORMED_CODING;
  return numbers[CODING] === CODING_UNKNOWN ? UNKNOWN_CODING : 0;
}

const has = (numbers: Numbers, field: number): boolean => ((numbers[SEEN] >> field) & 1) !== 0;

function setValue(numbers: Numbers, field: number, start: number, end: number): void {
  numbers[VALUES + 2 * field] = start;
  numbers[VALUES + 2 * field + 1] = end;
}

/** Puts the earlier lines' value of a list, a separator and the new value together at the end of what is kept. */
function join(memory: Memory, field: number, start: number): number {
  const { bytes, numbers } = memory;
  const joined = numbers[KEPT];
  keep(memory, valueStart(numbers, field), valueEnd(numbers, field));
  if (numbers[KEPT] + 2 > MAX_KEPT_BYTES) numbers[PROBLEM] = FIELDS_TOO_LARGE;
  if (numbers[PROBLEM]) return start;
  bytes[numbers[KEPT]++] = field === COOKIE ? SEMICOLON : COMMA;
  bytes[numbers[KEPT]++] = SPACE;
  keep(memory, start, joined);
  return joined;
}

function parseContentLength({ bytes, numbers }: Memory, start: number, end: number): void {
  const digits = end - start;
  let length = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (isDigit(byte)) length = length * 10 + byte - 0x30;
    else length = NaN;
  }
  if (!digits || digits > MAX_CONTENT_LENGTH_DIGITS || isNaN(length)) {
    numbers[PROBLEM] = MALFORMED_CONTENT_LENGTH;
  } else numbers[CONTENT_LENGTH] = Math.min(length, LONGEST);
}

function parseConnection({ bytes, numbers }: Memory, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    const stop = elementEnd(bytes, at, end);
    at = skipBlanks(bytes, at, stop);
    const last = trimBlanks(bytes, at, stop);
    if (equalsIgnoringCase(bytes, at, last, CLOSE)) numbers[ASKS_CLOSE] = 1;
    else if (equalsIgnoringCase(bytes, at, last, KEEP_ALIVE)) numbers[ASKS_KEEP_ALIVE] = 1;
    at = stop;
  }
}

/**
 * Only `chunked`, once, is understood. A body whose last coding is another one has no end that could be told, which RFC 9112 section
 * 6.3 answers with 400; a coding below `chunked` that is not known is 501 (section 6.1).
 */
function codingOf(bytes: Uint8Array, start: number, end: number): number {
  let chunked = false;
  let unknown = false;
  for (let at = start; ; at++) {
    const stop = elementEnd(bytes, at, end);
    at = skipBlanks(bytes, at, stop);
    const last = trimBlanks(bytes, at, stop);
    // Nothing may follow chunked, and no element may be empty.
    if (chunked || at === last) return CODING_BAD;
    chunked = equalsIgnoringCase(bytes, at, last, CHUNKED);
    unknown ||= !chunked;
    if (stop === end) break;
    at = stop;
  }
  if (!chunked) return CODING_BAD;
  return unknown ? CODING_UNKNOWN : CODING_CHUNKED;
}

/** Finds path and query in the four forms of a request target, RFC 9112 section 3.2. Answers what is wrong with it. */
function problemOfTarget(memory: Memory): number {
  const { bytes, numbers } = memory;
  const end = numbers[TARGET_END];
  let start = numbers[METHOD_END];
  if (equals(bytes, 0, start, CONNECT)) return NO_PROXY;
  if (bytes[start] !== SLASH) {
    if (equals(bytes, start, end, STAR) && isMethod(memory, OPTIONS)) {
      setPath(numbers, start, end, end);
      return 0;
    }
    const host = afterScheme(bytes, start, end);
    for (start = host; start < end && bytes[start] !== SLASH && bytes[start] !== QUESTION; start++);
    if (!host || !isAuthority(bytes, host, start)) return MALFORMED_TARGET;
    // RFC 9112 section 3.2.2: the target's authority stands for what the Host field says.
    setValue(numbers, HOST, host, start);
  }
  let pathEnd = start;
  while (pathEnd < end && bytes[pathEnd] !== QUESTION) pathEnd++;
  setPath(numbers, start, pathEnd, end);
  return 0;
}

/** An empty path, which only an absolute target can have, stands for "/". */
function setPath(numbers: Numbers, start: number, pathEnd: number, queryEnd: number): void {
  numbers[PATH_START] = start;
  numbers[PATH_END] = pathEnd;
  numbers[QUERY_END] = queryEnd;
}

/** Where the authority of an absolute http target begins, or 0. */
function afterScheme(bytes: Uint8Array, start: number, end: number): number {
  if (start + 8 <= end && equalsIgnoringCase(bytes, start, start + 8, HTTPS)) return start + 8;
  if (start + 7 <= end && equalsIgnoringCase(bytes, start, start + 7, HTTP)) return start + 7;
  return 0;
}
