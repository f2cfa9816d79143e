import {
  ascii,
  COMMA,
  elementEnd,
  equals,
  equalsIgnoringCase,
  QUOTE,
  SEMICOLON,
  skipBlanks,
  trimBlanks,
} from "./characters";

const WEAK = 0x57;
const SLASH = 0x2f;
const STAR = 0x2a;
const GZIP = ascii("gzip");
const X_GZIP = ascii("x-gzip");
const ANY = ascii("*");
const WEIGHT = ascii("q=");

/**
 * Whether an Accept-Encoding (RFC 9110 section 12.5.3) takes gzip: named with a weight above 0, or not named and `*` is taken. Without
 * the field, which is not asked here, any coding is.
 */
export function acceptsGzip(bytes: Uint8Array, start: number, end: number): boolean {
  let any = false;
  for (let at = start; at < end; at++) {
    const last = elementEnd(bytes, at, end);
    let nameEnd = at;
    while (nameEnd < last && bytes[nameEnd] !== SEMICOLON) nameEnd++;
    const weight = isWeighted(bytes, nameEnd, last);
    const from = skipBlanks(bytes, at, nameEnd);
    const to = trimBlanks(bytes, from, nameEnd);
    if (equalsIgnoringCase(bytes, from, to, GZIP) || equalsIgnoringCase(bytes, from, to, X_GZIP)) return weight;
    if (equals(bytes, from, to, ANY)) any = weight;
    at = last;
  }
  return any;
}

/** False when the parameters that begin at `at` are `q=0`, `q=0.` … `q=0.000`. */
function isWeighted(bytes: Uint8Array, at: number, end: number): boolean {
  at = skipBlanks(bytes, at + 1, end);
  if (!equalsIgnoringCase(bytes, at, Math.min(at + 2, end), WEIGHT)) return true;
  for (at += 2; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x31 && byte <= 0x39) return true;
  }
  return false;
}

/** Whether an If-None-Match (RFC 9110 section 13.1.2) names `etag`, compared weakly (section 8.8.3.2), or is `*`. */
export function matchesEtag(bytes: Uint8Array, start: number, end: number, etag: string): boolean {
  const opaque = etag.charCodeAt(0) === WEAK ? etag.slice(2) : etag;
  if (end === start + 1 && bytes[start] === STAR) return true;
  for (let at = start; at < end;) {
    at = skipBlanks(bytes, at, end);
    if (bytes[at] === WEAK && bytes[at + 1] === SLASH) at += 2;
    if (bytes[at] === QUOTE) {
      let close = at + 1;
      while (close < end && bytes[close] !== QUOTE) close++;
      if (equalsText(bytes, at, Math.min(close + 1, end), opaque)) return true;
      at = close + 1;
    }
    while (at < end && bytes[at] !== COMMA) at++;
    at++;
  }
  return false;
}

function equalsText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let index = 0; start < end; start++, index++) if (bytes[start] !== text.charCodeAt(index)) return false;
  return true;
}
