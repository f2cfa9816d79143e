import { ascii, CR, equals, isDigit, LF, SPACE, targetEnd, tokenEnd } from "./characters";
import { MAX_REQUEST_LINE_BYTES } from "./limits";
import type { Memory } from "./memory";
import {
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
} from "./numbers";
import { fail, FIELD_START, REQUEST_LINE_LF, TARGET, VERSION } from "./parser-state";
import { MALFORMED_REQUEST_LINE, REQUEST_LINE_TOO_LONG } from "./problems";
import { keep } from "./request-head";

/* The first line of a request (RFC 9112 section 3). Each function takes bytes from `at` on and answers how far it got. */

const PROTOCOL = ascii("HTTP/");
const HTTP_1_1 = ascii("HTTP/1.1");
const MAJOR_AT = 5;
const DOT_AT = 6;
const MINOR_AT = 7;
const VERSION_LENGTH = 8;

/**
 * Nearly always the request line has come whole, and is as it should be: it is taken at once, where XS would go from state to state for
 * each part of it. Else `at` is answered, and its parts are taken one by one.
 */
export function takeRequestLine({ bytes, numbers }: Memory, at: number, end: number): number {
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

export function takeMethod(memory: Memory, at: number, end: number): number {
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

export function takeTarget(memory: Memory, at: number, end: number): number {
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
export function takeVersion({ bytes, numbers }: Memory, byte: number, at: number, end: number): number {
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

function growRequestLine(numbers: Numbers, count: number): boolean {
  numbers[LINE_BYTES] += count;
  if (numbers[LINE_BYTES] <= MAX_REQUEST_LINE_BYTES) return true;
  numbers[PROBLEM] = REQUEST_LINE_TOO_LONG;
  return false;
}
