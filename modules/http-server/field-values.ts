import {
  ascii,
  COLON,
  elementEnd,
  equalsIgnoringCase,
  hexDigit,
  isDigit,
  isRegName,
  skipBlanks,
  trimBlanks,
} from "./characters";
import { MAX_CONTENT_LENGTH_DIGITS } from "./limits";

/*
 * Values of the fields that decide the framing. Compared as bytes: as text, lower-casing could make non-ASCII letters match,
 * and trimming would remove non-ASCII blanks.
 */

const PERCENT = 0x25;
const DOT = 0x2e;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const CLOSE = ascii("close");
const KEEP_ALIVE = ascii("keep-alive");
const CHUNKED = ascii("chunked");
const CONTINUE = ascii("100-continue");

/** Longer lengths are clamped to this. */
export const LONGEST = 0x7fff_ffff;

/** -1 if malformed. */
export function contentLengthOf(bytes: Uint8Array, start: number, end: number): number {
  if (start === end || end - start > MAX_CONTENT_LENGTH_DIGITS) return -1;
  let length = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (!isDigit(byte)) return -1;
    length = length * 10 + byte - 0x30;
  }
  return Math.min(length, LONGEST);
}

/** Flags: Connection options. */
export const ASKS_CLOSE = 1;
export const ASKS_KEEP_ALIVE = 2;

export function connectionOptions(bytes: Uint8Array, start: number, end: number): number {
  let options = 0;
  for (let at = start; at < end; at++) {
    const stop = elementEnd(bytes, at, end);
    at = skipBlanks(bytes, at, stop);
    const last = trimBlanks(bytes, at, stop);
    if (equalsIgnoringCase(bytes, at, last, CLOSE)) options |= ASKS_CLOSE;
    else if (equalsIgnoringCase(bytes, at, last, KEEP_ALIVE)) options |= ASKS_KEEP_ALIVE;
    at = stop;
  }
  return options;
}

export const expectsContinue = (bytes: Uint8Array, start: number, end: number): boolean =>
  equalsIgnoringCase(bytes, start, end, CONTINUE);

/** Transfer-Encoding: the codings. */
export const CODING_NONE = 0;
export const CODING_CHUNKED = 1;
export const CODING_UNKNOWN = 2;
export const CODING_BAD = 3;

/**
 * Only a single `chunked` is supported. If another coding is last, the end of the body cannot be determined: 400 (RFC 9112 section 6.3). An
 * unknown coding before `chunked` is 501 (section 6.1).
 */
export function codingOf(bytes: Uint8Array, start: number, end: number): number {
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

/** `uri-host [ ":" port ]` of RFC 9110 section 7.2, not empty, as http requires (section 4.2.1). */
export function isAuthority(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  if (bytes[at] === OPEN_BRACKET) {
    for (at++; at < end && bytes[at] !== CLOSE_BRACKET; at++) {
      const byte = bytes[at] as number;
      if (hexDigit(byte) < 0 && byte !== COLON && byte !== DOT) return false;
    }
    if (at === end || at === start + 1) return false;
    at++;
  } else {
    for (; at < end && bytes[at] !== COLON; at++) {
      if (isRegName(bytes[at] as number)) continue;
      if (bytes[at] !== PERCENT || at + 2 >= end) return false;
      if (hexDigit(bytes[at + 1] as number) < 0 || hexDigit(bytes[at + 2] as number) < 0) return false;
      at += 2;
    }
    if (at === start) return false;
  }
  if (at === end) return true;
  if (bytes[at] !== COLON || end - at > 6) return false;
  for (at++; at < end; at++) if (!isDigit(bytes[at] as number)) return false;
  return true;
}
