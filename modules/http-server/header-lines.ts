import { COLON, CR, isBlank, LF, skipBlanks, tokenEnd, valueEnd } from "./characters";
import { findField, NAME_BYTES, UNKNOWN_FIELD } from "./fields";
import { MAX_HEADER_BYTES, MAX_HEADER_COUNT, MAX_HEADER_LINE_BYTES } from "./limits";
import { type Memory, NAME_START } from "./memory";
import {
  FIELD,
  HEADER_BYTES,
  HEADER_COUNT,
  KEPT,
  LINE_BYTES,
  NAME_LENGTH,
  type Numbers,
  PARSER_STATE,
  PROBLEM,
  TRAILERS,
  VALUE_START,
} from "./numbers";
import { BEFORE_VALUE, fail, FIELD_LF, LAST_LF, NAME, VALUE } from "./parser-state";
import { FIELDS_TOO_LARGE, FOLDED_LINE, MALFORMED_FIELD, TOO_MANY_FIELDS } from "./problems";
import { keep, takeField } from "./request-head";

/*
 * The lines behind the request line (RFC 9112 section 5), and the trailers behind a chunked body. Each function takes bytes from `at` on
 * and answers how far it got.
 */

/**
 * Nearly always header lines have come whole and are within the limits: those are taken at once, where XS would go from state to state for
 * each part of them. The first that is not, and the empty line behind them, go from part to part.
 */
export function takeFields(memory: Memory, at: number, end: number): number {
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

export function takeName({ bytes, numbers }: Memory, at: number, end: number): number {
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

export function takeBlanks(memory: Memory, at: number, end: number): number {
  const { bytes, numbers } = memory;
  const stop = skipBlanks(bytes, at, end);
  if (!grow(numbers, stop - at) || stop === end) return stop;
  numbers[PARSER_STATE] = VALUE;
  return takeValue(memory, stop, end);
}

export function takeValue(memory: Memory, at: number, end: number): number {
  const { bytes, numbers } = memory;
  const stop = valueEnd(bytes, at, end);
  if (!grow(numbers, stop - at)) return at;
  if (numbers[FIELD] !== UNKNOWN_FIELD) keep(memory, at, stop);
  if (stop === end) return stop;
  if (bytes[stop] !== CR) return fail(numbers, MALFORMED_FIELD, stop);
  numbers[PARSER_STATE] = FIELD_LF;
  return stop + 1;
}

function grow(numbers: Numbers, count: number): boolean {
  numbers[LINE_BYTES] += count;
  numbers[HEADER_BYTES] += count;
  if (numbers[LINE_BYTES] <= MAX_HEADER_LINE_BYTES && numbers[HEADER_BYTES] <= MAX_HEADER_BYTES) return true;
  numbers[PROBLEM] = FIELDS_TOO_LARGE;
  return false;
}
