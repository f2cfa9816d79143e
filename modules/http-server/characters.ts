/**
 * Character classes and scanning, RFC 9110 section 5.6 and RFC 3986. Everything works on a range of a buffer and creates no strings;
 * fixed texts are bytes too, because XS creates an object for every `length` and every `charCodeAt` of a string.
 */

export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
const COMMA = 0x2c;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const QUESTION = 0x3f;

export const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;

/** ASCII text as bytes, for a table in flash. */
export function ascii(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** The same for several texts, as views of one buffer: separate buffers would take three more slots of flash each. */
export function asciiParts(texts: readonly string[]): Uint8Array[] {
  const all = ascii(texts.join(""));
  let end = 0;
  return texts.map(({ length }) => {
    end += length;
    return all.subarray(end - length, end);
  });
}

/** A byte set as a lookup table: 1 for members. In XS a lookup takes half as many steps as comparisons. */
type ByteSet = Uint8Array;

const setOf = (isIn: (byte: number) => boolean): ByteSet =>
  Uint8Array.from({ length: 256 }, (_, byte) => (isIn(byte) ? 1 : 0));

const setOfCharacters = (punctuation: string): ByteSet =>
  setOf((byte) => isDigit(byte) || isLetter(byte) || ascii(punctuation).includes(byte));

/** tchar of RFC 9110 section 5.6.2: methods and field names. */
export const TOKEN = setOfCharacters("!#$%&'*+-.^_`|~");
/** unreserved and sub-delims of RFC 3986 section 3.2.2: host names, apart from percent-encodings. */
const REG_NAME = setOfCharacters("-._~!$&'()*+,;=");
/** Visible ASCII except `#`: request targets. */
export const TARGET = setOf((byte) => byte > SPACE && byte < 0x7f && byte !== 0x23);
/** Visible characters, blanks and obs-text of RFC 9110 section 5.5: field values. */
export const VALUE = setOf((byte) => (byte >= SPACE && byte !== 0x7f) || byte === TAB);
/** Maps upper-case letters to lower case, every other byte to itself. */
const LOWER_CASE = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte));

export const isRegName = (byte: number): boolean => REG_NAME[byte] === 1;

export const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB;

/** Value of a hexadecimal digit, or -1. */
export function hexDigit(byte: number): number {
  if (isDigit(byte)) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}

/**
 * End of the run of members of `set` at `at`. Checks `end` once instead of at every byte: a run that passes `end` is cut there, and the
 * scan stops at the end of the buffer.
 */
export function runEnd(bytes: Uint8Array, at: number, end: number, set: ByteSet): number {
  while (set[bytes[at] as number]) at++;
  return at < end ? at : end;
}

export function skipBlanks(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && isBlank(bytes[at])) at++;
  return at;
}

/** The end of the range without its trailing blanks. */
export function trimBlanks(bytes: Uint8Array, start: number, end: number): number {
  while (end > start && isBlank(bytes[end - 1])) end--;
  return end;
}

export function equals(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  if (end - start !== text.length) return false;
  for (let index = 0; start < end; start++, index++) if (bytes[start] !== text[index]) return false;
  return true;
}

/** Compares ignoring the case of ASCII letters; `text` is in lower case. */
export function equalsIgnoringCase(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  if (end - start !== text.length) return false;
  const lower = LOWER_CASE;
  for (let index = 0; start < end; start++, index++) if (lower[bytes[start] as number] !== text[index]) return false;
  return true;
}

/** End of the list element at `at`: the next comma or the end of the list. */
export function elementEnd(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && bytes[at] !== COMMA) at++;
  return at;
}
