import {
  ascii,
  COLON,
  CR,
  equals,
  isBlank,
  isDigit,
  LF,
  skipBlanks,
  SPACE,
  targetEnd,
  tokenEnd,
  valueEnd,
} from "./characters";
import { findField, NAME_BYTES, UNKNOWN_FIELD } from "./fields";
import {
  MAX_EMPTY_LINES,
  MAX_HEADER_BYTES,
  MAX_HEADER_COUNT,
  MAX_HEADER_LINE_BYTES,
  MAX_REQUEST_LINE_BYTES,
} from "./limits";
import { type Memory, NAME_START } from "./memory";
import {
  EMPTY_LINES,
  FIELD,
  HEADER_BYTES,
  HEADER_COUNT,
  KEPT,
  LINE_BYTES,
  MAJOR,
  METHOD_END,
  MINOR,
  NAME_LENGTH,
  type Numbers,
  PARSER_STATE,
  PROBLEM,
  TARGET_END,
  TRAILERS,
  VALUE_START,
} from "./numbers";
import {
  BARE_CARRIAGE_RETURN,
  FIELDS_TOO_LARGE,
  FOLDED_LINE,
  MALFORMED_FIELD,
  MALFORMED_REQUEST_LINE,
  REQUEST_LINE_TOO_LONG,
  TOO_MANY_FIELDS,
  UNKNOWN_VERSION,
} from "./problems";
import { finishHead, keep, resetHead, takeField } from "./request-head";

/*
 * Takes a request's head apart, however it is cut into pieces, in one pass and by the letter of RFC 9112: what the grammar does not
 * allow is refused, never mended. It goes by runs of characters, not by single ones, and keeps only what request-head.ts is asked for.
 */

/** Nothing of the request has come; what there was of the one before is still there. */
const NEXT = 0;
const EMPTY_LINE = 1;
const EMPTY_LINE_LF = 2;
const METHOD = 3;
const TARGET = 4;
const VERSION = 5;
const REQUEST_LINE_LF = 6;
const FIELD_START = 7;
const NAME = 8;
const BEFORE_VALUE = 9;
const VALUE = 10;
const FIELD_LF = 11;
const LAST_LF = 12;
const COMPLETE = 13;

const PROTOCOL = ascii("HTTP/");
const HTTP_1_1 = ascii("HTTP/1.1");
const MAJOR_AT = 5;
const DOT_AT = 6;
const MINOR_AT = 7;
const VERSION_LENGTH = 8;

/** The next request begins. */
export function awaitHead(numbers: Numbers): void {
  numbers[PARSER_STATE] = NEXT;
}

/** Nothing of the next request has been looked at. */
export const awaitsHead = (numbers: Numbers): boolean => numbers[PARSER_STATE] === NEXT;

/** The head is the same as the one before. */
export function repeatHead(numbers: Numbers): void {
  numbers[PARSER_STATE] = COMPLETE;
}

/** The trailer section of a chunked body follows: header lines of which nothing is kept (RFC 9112 section 7.1.2). */
export function beginTrailers(numbers: Numbers): void {
  numbers[PARSER_STATE] = FIELD_START;
  numbers[TRAILERS] = 1;
}

/** More than empty lines has come. */
export const headHasBegun = (numbers: Numbers): boolean => numbers[PARSER_STATE] > EMPTY_LINE_LF;

export const headIsComplete = (numbers: Numbers): boolean => numbers[PARSER_STATE] === COMPLETE && !numbers[PROBLEM];

/**
 * Takes the bytes from `at` to `end` and answers how far it got: to the end, to the end of the head, or to what is wrong with it
 * (PROBLEM).
 */
export function parseHead(memory: Memory, at: number, end: number): number {
  const { numbers } = memory;
  if (numbers[PARSER_STATE] === NEXT) {
    numbers.fill(0, PARSER_STATE, KEPT);
    resetHead(numbers);
    numbers[PARSER_STATE] = EMPTY_LINE;
  }
  while (at < end && numbers[PARSER_STATE] !== COMPLETE && !numbers[PROBLEM]) at = step(memory, at, end);
  return at;
}

function step(memory: Memory, at: number, end: number): number {
  const { bytes, numbers } = memory;
  const byte = bytes[at] as number;
  // The states that come with each line first: XS compares one case after another.
  switch (numbers[PARSER_STATE]) {
    case BEFORE_VALUE:
      return takeBlanks(memory, at, end);
    case VALUE:
      return takeValue(memory, at, end);
    case FIELD_LF:
      return takeLineFeed(memory, byte, at);
    case FIELD_START:
      return takeFields(memory, at, end);
    case NAME:
      return takeName(memory, at, end);
    case EMPTY_LINE:
      return takeEmptyLine(memory, byte, at, end);
    case METHOD:
      return takeMethod(memory, at, end);
    case TARGET:
      return takeTarget(memory, at, end);
    case VERSION:
      return takeVersion(memory, byte, at, end);
    default:
      return takeLineFeed(memory, byte, at);
  }
}

function takeEmptyLine(memory: Memory, byte: number, at: number, end: number): number {
  const { numbers } = memory;
  if (byte !== CR) {
    numbers[PARSER_STATE] = METHOD;
    return takeRequestLine(memory, at, end);
  }
  if (++numbers[EMPTY_LINES] > MAX_EMPTY_LINES) return fail(numbers, MALFORMED_REQUEST_LINE, at);
  numbers[PARSER_STATE] = EMPTY_LINE_LF;
  return at + 1;
}

/**
 * Nearly always the request line has come whole, and is as it should be: it is taken at once, where XS would go from state to state for
 * each part of it. Else `at` is answered, and its parts are taken one by one.
 */
function takeRequestLine({ bytes, numbers }: Memory, at: number, end: number): number {
  const method = tokenEnd(bytes, at, end);
  const target = targetEnd(bytes, method + 1, end);
  const stop = target + 1 + VERSION_LENGTH;
  if (stop + 2 > end || stop - at > MAX_REQUEST_LINE_BYTES || method === at) return at;
  if (bytes[method] !== SPACE || bytes[target] !== SPACE || !equals(bytes, target + 1, stop, HTTP_1_1)) return at;
  if (bytes[stop] !== CR || bytes[stop + 1] !== LF) return at;
  bytes.copyWithin(0, at, method);
  bytes.copyWithin(method - at, method + 1, target);
  numbers[METHOD_END] = method - at;
  numbers[TARGET_END] = numbers[KEPT] = target - at - 1;
  numbers[PARSER_STATE] = FIELD_START;
  return stop + 2;
}

function takeMethod(memory: Memory, at: number, end: number): number {
  const { bytes, numbers } = memory;
  const stop = tokenEnd(bytes, at, end);
  if (!growRequestLine(numbers, stop - at)) return at;
  keep(memory, at, stop);
  if (stop === end) return stop;
  if (bytes[stop] !== SPACE || !numbers[KEPT]) return fail(numbers, MALFORMED_REQUEST_LINE, stop);
  if (!growRequestLine(numbers, 1)) return stop;
  numbers[METHOD_END] = numbers[KEPT];
  numbers[PARSER_STATE] = TARGET;
  return stop + 1;
}

function takeTarget(memory: Memory, at: number, end: number): number {
  const { bytes, numbers } = memory;
  const stop = targetEnd(bytes, at, end);
  if (!growRequestLine(numbers, stop - at)) return at;
  keep(memory, at, stop);
  if (stop === end) return stop;
  if (bytes[stop] !== SPACE) return fail(numbers, MALFORMED_REQUEST_LINE, stop);
  if (!growRequestLine(numbers, 1)) return stop;
  numbers[TARGET_END] = numbers[KEPT];
  numbers[NAME_LENGTH] = 0;
  numbers[PARSER_STATE] = VERSION;
  return stop + 1;
}

/** `HTTP/` digit `.` digit, in capitals; NAME_LENGTH counts its bytes. */
function takeVersion({ bytes, numbers }: Memory, byte: number, at: number, end: number): number {
  // Nearly always it comes in one piece.
  if (!numbers[NAME_LENGTH] && equals(bytes, at, Math.min(at + VERSION_LENGTH, end), HTTP_1_1)) {
    if (!growRequestLine(numbers, VERSION_LENGTH)) return at;
    numbers[NAME_LENGTH] = VERSION_LENGTH;
    return at + VERSION_LENGTH;
  }
  const index = numbers[NAME_LENGTH]++;
  if (index === VERSION_LENGTH) {
    if (byte !== CR) return fail(numbers, MALFORMED_REQUEST_LINE, at);
    numbers[PARSER_STATE] = REQUEST_LINE_LF;
    return at + 1;
  }
  if (!growRequestLine(numbers, 1)) return at;
  const right =
    index === MAJOR_AT || index === MINOR_AT ? isDigit(byte) : byte === (index === DOT_AT ? 0x2e : PROTOCOL[index]);
  if (!right) return fail(numbers, MALFORMED_REQUEST_LINE, at);
  if (index === MAJOR_AT) numbers[MAJOR] = byte - 0x30;
  else if (index === MINOR_AT) numbers[MINOR] = byte - 0x30;
  return at + 1;
}

function takeLineFeed(memory: Memory, byte: number, at: number): number {
  const { numbers } = memory;
  if (byte !== LF) return fail(numbers, BARE_CARRIAGE_RETURN, at);
  switch (numbers[PARSER_STATE]) {
    case EMPTY_LINE_LF:
      numbers[PARSER_STATE] = EMPTY_LINE;
      break;
    case REQUEST_LINE_LF:
      numbers[PARSER_STATE] = FIELD_START;
      if (numbers[MAJOR] !== 1) numbers[PROBLEM] = UNKNOWN_VERSION;
      break;
    case FIELD_LF:
      numbers[PARSER_STATE] = FIELD_START;
      takeField(memory, numbers[FIELD], numbers[VALUE_START]);
      break;
    default:
      numbers[PARSER_STATE] = COMPLETE;
      if (!numbers[TRAILERS]) finishHead(memory);
  }
  return at + 1;
}

/** The same for header lines: those that have come whole and are within the limits are taken at once. */
function takeFields(memory: Memory, at: number, end: number): number {
  const { bytes, numbers } = memory;
  let count = numbers[HEADER_COUNT];
  let total = numbers[HEADER_BYTES];
  while (!numbers[TRAILERS]) {
    const nameEnd = tokenEnd(bytes, at, end);
    if (nameEnd === at || bytes[nameEnd] !== COLON) break;
    const start = skipBlanks(bytes, nameEnd + 1, end);
    const stop = valueEnd(bytes, start, end);
    if (stop + 2 > end || bytes[stop] !== CR || bytes[stop + 1] !== LF) break;
    const length = stop - at;
    if (count === MAX_HEADER_COUNT || length > MAX_HEADER_LINE_BYTES || total + length > MAX_HEADER_BYTES) break;
    count++;
    total += length;
    const field = findField(bytes, at, nameEnd - at);
    at = stop + 2;
    if (field === UNKNOWN_FIELD) continue;
    const kept = numbers[KEPT];
    keep(memory, start, stop);
    if (!numbers[PROBLEM]) takeField(memory, field, kept);
    if (numbers[PROBLEM]) return at;
  }
  numbers[HEADER_COUNT] = count;
  numbers[HEADER_BYTES] = total;
  return at < end ? takeFieldStart(memory, bytes[at] as number, at, end) : at;
}

function takeFieldStart(memory: Memory, byte: number, at: number, end: number): number {
  const { numbers } = memory;
  if (byte === CR) {
    numbers[PARSER_STATE] = LAST_LF;
    return at + 1;
  }
  if (isBlank(byte)) return fail(numbers, FOLDED_LINE, at);
  if (++numbers[HEADER_COUNT] > MAX_HEADER_COUNT) {
    return fail(numbers, TOO_MANY_FIELDS, at);
  }
  numbers[LINE_BYTES] = numbers[NAME_LENGTH] = 0;
  numbers[PARSER_STATE] = NAME;
  return takeName(memory, at, end);
}

function takeName({ bytes, numbers }: Memory, at: number, end: number): number {
  const stop = tokenEnd(bytes, at, end);
  if (!grow(numbers, stop - at)) return at;
  if (numbers[NAME_LENGTH] < NAME_BYTES) {
    const last = Math.min(stop, at + NAME_BYTES - numbers[NAME_LENGTH]);
    bytes.copyWithin(NAME_START + numbers[NAME_LENGTH], at, last);
  }
  numbers[NAME_LENGTH] += stop - at;
  if (stop === end) return stop;
  if (bytes[stop] !== COLON || !numbers[NAME_LENGTH]) return fail(numbers, MALFORMED_FIELD, stop);
  if (!grow(numbers, 1)) return stop;
  numbers[FIELD] = numbers[TRAILERS] ? UNKNOWN_FIELD : findField(bytes, NAME_START, numbers[NAME_LENGTH]);
  numbers[VALUE_START] = numbers[KEPT];
  numbers[PARSER_STATE] = BEFORE_VALUE;
  return stop + 1;
}

function takeBlanks(memory: Memory, at: number, end: number): number {
  const { bytes, numbers } = memory;
  const stop = skipBlanks(bytes, at, end);
  if (!grow(numbers, stop - at) || stop === end) return stop;
  numbers[PARSER_STATE] = VALUE;
  return takeValue(memory, stop, end);
}

function takeValue(memory: Memory, at: number, end: number): number {
  const { bytes, numbers } = memory;
  const stop = valueEnd(bytes, at, end);
  if (!grow(numbers, stop - at)) return at;
  if (numbers[FIELD] !== UNKNOWN_FIELD) keep(memory, at, stop);
  if (stop === end) return stop;
  if (bytes[stop] !== CR) return fail(numbers, MALFORMED_FIELD, stop);
  numbers[PARSER_STATE] = FIELD_LF;
  return stop + 1;
}

function growRequestLine(numbers: Numbers, count: number): boolean {
  numbers[LINE_BYTES] += count;
  if (numbers[LINE_BYTES] <= MAX_REQUEST_LINE_BYTES) return true;
  numbers[PROBLEM] = REQUEST_LINE_TOO_LONG;
  return false;
}

function grow(numbers: Numbers, count: number): boolean {
  numbers[LINE_BYTES] += count;
  numbers[HEADER_BYTES] += count;
  if (numbers[LINE_BYTES] <= MAX_HEADER_LINE_BYTES && numbers[HEADER_BYTES] <= MAX_HEADER_BYTES) return true;
  numbers[PROBLEM] = FIELDS_TOO_LARGE;
  return false;
}

function fail(numbers: Numbers, problem: number, at: number): number {
  numbers[PROBLEM] = problem;
  return at;
}
