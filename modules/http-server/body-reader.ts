import { CR, hexDigit, isBlank, LF, SEMICOLON, valueEnd } from "./characters";
import { beginTrailers, headIsComplete, parseHead } from "./head-parser";
import { MAX_CHUNK_EXTENSION_BYTES, MAX_CHUNK_SIZE_DIGITS } from "./limits";
import type { Memory } from "./memory";
import {
  BLOCKED,
  BODY_LEFT,
  BODY_LENGTH,
  BODY_LIMIT,
  BODY_STATE,
  CODING,
  CONTENT_LENGTH,
  EXTENSION_BYTES,
  type Numbers,
  OVERSIZE,
  PROBLEM,
  SIZE_DIGITS,
} from "./numbers";
import { MALFORMED_CHUNKS } from "./problems";
import { CODING_CHUNKED } from "./request-head";
import type { BodySink } from "./types";

/*
 * Takes a request's body apart (RFC 9112 sections 6.2 and 7.1), however it is cut into pieces, and gives its bytes to whoever wants
 * them, up to a limit.
 */

const ENDED = 0;
const FIXED = 1;
const CHUNK_SIZE = 2;
const BEFORE_EXTENSION = 3;
const EXTENSION = 4;
const SIZE_LF = 5;
const CHUNK_DATA = 6;
const DATA_CR = 7;
const DATA_LF = 8;
const TRAILERS = 9;

/** The limit of a body that nobody wants. */
const NOTHING = -1;

/** The head announces one. */
export const hasBody = (numbers: Numbers): boolean => numbers[CONTENT_LENGTH] > 0 || numbers[CODING] === CODING_CHUNKED;

/** The body that the head announces follows. */
export function beginBody(numbers: Numbers): void {
  numbers[SIZE_DIGITS] = numbers[EXTENSION_BYTES] = 0;
  numbers[BODY_LEFT] = Math.max(0, numbers[CONTENT_LENGTH]);
  if (numbers[CODING] === CODING_CHUNKED) numbers[BODY_STATE] = CHUNK_SIZE;
  else numbers[BODY_STATE] = numbers[BODY_LEFT] ? FIXED : ENDED;
  dropBody(numbers);
}

/** From here on the body is wanted, up to `limit` bytes. */
export function wantBody(numbers: Numbers, limit: number): void {
  numbers[BODY_LIMIT] = limit;
  numbers[BODY_LENGTH] = 0;
  numbers[OVERSIZE] = numbers[BODY_STATE] === FIXED && numbers[BODY_LEFT] > limit ? 1 : 0;
}

/** From here on the body is not wanted. */
export function dropBody(numbers: Numbers): void {
  numbers[BODY_LIMIT] = NOTHING;
  numbers[BODY_LENGTH] = numbers[OVERSIZE] = numbers[BLOCKED] = 0;
}

export const bodyHasEnded = (numbers: Numbers): boolean => numbers[BODY_STATE] === ENDED;

/** Bytes still to come, -1 when nobody knows. */
export function bodyBytesLeft(numbers: Numbers): number {
  if (numbers[BODY_STATE] === FIXED) return numbers[BODY_LEFT];
  return bodyHasEnded(numbers) ? 0 : -1;
}

/**
 * Takes the bytes from `at` to `end` for `sink` and answers how far it got: to the end, to the body's end, to an error (PROBLEM) or
 * excess (OVERSIZE), or to what the sink does not want now (BLOCKED). Throws what the sink throws.
 */
export function feedBody(memory: Memory, at: number, end: number, sink: BodySink | undefined): number {
  const { numbers } = memory;
  while (at < end && !bodyHasEnded(numbers) && !numbers[OVERSIZE] && !numbers[PROBLEM] && !numbers[BLOCKED])
    at = step(memory, at, end, sink);
  return at;
}

function step(memory: Memory, at: number, end: number, sink: BodySink | undefined): number {
  const { bytes, numbers } = memory;
  const byte = bytes[at] as number;
  switch (numbers[BODY_STATE]) {
    case FIXED:
    case CHUNK_DATA:
      return takeData(memory, at, end, sink);
    case CHUNK_SIZE:
      return takeSize(numbers, byte, at);
    case BEFORE_EXTENSION:
    case EXTENSION:
      return takeExtension(memory, byte, at, end);
    case SIZE_LF:
      return takeSizeEnd(numbers, byte, at);
    case DATA_CR:
      if (byte !== CR) return malformed(numbers, at);
      numbers[BODY_STATE] = DATA_LF;
      return at + 1;
    case DATA_LF:
      if (byte !== LF) return malformed(numbers, at);
      numbers[BODY_STATE] = CHUNK_SIZE;
      numbers[BODY_LEFT] = numbers[SIZE_DIGITS] = 0;
      return at + 1;
    default:
      at = parseHead(memory, at, end);
      if (headIsComplete(numbers)) numbers[BODY_STATE] = ENDED;
      return at;
  }
}

function takeData({ bytes, numbers }: Memory, at: number, end: number, sink: BodySink | undefined): number {
  const stop = Math.min(end, at + numbers[BODY_LEFT]);
  if (sink && numbers[BODY_LIMIT] !== NOTHING) {
    // Who answers meanwhile, and so drops the body, has nothing to wait for.
    const taken = sink.write(bytes.subarray(at, stop)) || numbers[BODY_LIMIT] === NOTHING;
    numbers[BLOCKED] = taken ? 0 : 1;
    if (!taken) return at;
    numbers[BODY_LENGTH] += stop - at;
  }
  numbers[BODY_LEFT] -= stop - at;
  if (!numbers[BODY_LEFT]) numbers[BODY_STATE] = numbers[BODY_STATE] === FIXED ? ENDED : DATA_CR;
  return stop;
}

function takeSize(numbers: Numbers, byte: number, at: number): number {
  const digit = hexDigit(byte);
  if (digit >= 0) {
    if (++numbers[SIZE_DIGITS] > MAX_CHUNK_SIZE_DIGITS) return malformed(numbers, at);
    numbers[BODY_LEFT] = numbers[BODY_LEFT] * 16 + digit;
    return at + 1;
  }
  if (!numbers[SIZE_DIGITS]) return malformed(numbers, at);
  numbers[BODY_STATE] = byte === CR ? SIZE_LF : BEFORE_EXTENSION;
  return byte === CR ? at + 1 : at;
}

/** Blanks, then a semicolon, then anything a field value may have, up to the line's end: RFC 9112 section 7.1.1. */
function takeExtension({ bytes, numbers }: Memory, byte: number, at: number, end: number): number {
  let stop = at;
  if (numbers[BODY_STATE] === EXTENSION) stop = valueEnd(bytes, at, end);
  else if (byte === SEMICOLON || isBlank(byte)) stop = at + 1;
  if (byte === SEMICOLON) numbers[BODY_STATE] = EXTENSION;
  numbers[EXTENSION_BYTES] += stop - at;
  if (numbers[EXTENSION_BYTES] > MAX_CHUNK_EXTENSION_BYTES) return malformed(numbers, at);
  if (stop > at) return stop;
  if (numbers[BODY_STATE] !== EXTENSION || byte !== CR) return malformed(numbers, at);
  numbers[BODY_STATE] = SIZE_LF;
  return at + 1;
}

function takeSizeEnd(numbers: Numbers, byte: number, at: number): number {
  if (byte !== LF) return malformed(numbers, at);
  if (!numbers[BODY_LEFT]) {
    beginTrailers(numbers);
    numbers[BODY_STATE] = TRAILERS;
  } else {
    numbers[BODY_STATE] = CHUNK_DATA;
    const excess = numbers[BODY_LIMIT] !== NOTHING && numbers[BODY_LENGTH] + numbers[BODY_LEFT] > numbers[BODY_LIMIT];
    numbers[OVERSIZE] = excess ? 1 : 0;
  }
  return at + 1;
}

function malformed(numbers: Numbers, at: number): number {
  numbers[PROBLEM] = MALFORMED_CHUNKS;
  return at;
}
