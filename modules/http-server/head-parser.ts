import { CR, LF } from "./characters";
import { takeBlanks, takeFields, takeName, takeValue } from "./header-lines";
import { MAX_EMPTY_LINES } from "./limits";
import type { Memory } from "./memory";
import { EMPTY_LINES, FIELD, KEPT, MAJOR, type Numbers, PARSER_STATE, PROBLEM, TRAILERS, VALUE_START } from "./numbers";
import {
  BEFORE_VALUE,
  COMPLETE,
  EMPTY_LINE,
  EMPTY_LINE_LF,
  fail,
  FIELD_LF,
  FIELD_START,
  METHOD,
  NAME,
  NEXT,
  REQUEST_LINE_LF,
  TARGET,
  VALUE,
  VERSION,
} from "./parser-state";
import { BARE_CARRIAGE_RETURN, MALFORMED_REQUEST_LINE, UNKNOWN_VERSION } from "./problems";
import { finishHead, resetHead, takeField } from "./request-head";
import { takeMethod, takeRequestLine, takeTarget, takeVersion } from "./request-line";

/*
 * Takes a request's head apart, however it is cut into pieces, in one pass and by the letter of RFC 9112: what the grammar does not
 * allow is refused, never mended. It goes by runs of characters, not by single ones, and keeps only what request-head.ts is asked for.
 */

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
