/**
 * Bytes and runs of bytes in the terms of RFC 9110 section 5.6 and RFC 3986. All work on a range of a buffer, so no string is made, and
 * fixed texts are bytes too: XS makes an object for every `length` and every `charCodeAt` of a string.
 */

export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const QUESTION = 0x3f;

export const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;

/** The bytes of a fixed ASCII text, for a table in flash. */
export function ascii(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** The same of several texts, as parts of one array: a buffer of its own holds three slots of flash more. */
export function asciiParts(texts: readonly string[]): Uint8Array[] {
  const all = ascii(texts.join(""));
  let end = 0;
  return texts.map(({ length }) => {
    end += length;
    return all.subarray(end - length, end);
  });
}

/** A set of bytes: 1 for each that is in it. XS takes half the steps to look a byte up as to compare it. */
type ByteSet = Uint8Array;

const setOf = (isIn: (byte: number) => boolean): ByteSet =>
  Uint8Array.from({ length: 256 }, (_, byte) => (isIn(byte) ? 1 : 0));

const setOfCharacters = (punctuation: string): ByteSet =>
  setOf((byte) => isDigit(byte) || isLetter(byte) || ascii(punctuation).includes(byte));

/** RFC 9110 section 5.6.2: what a method and a field name are made of. */
const TOKEN = setOfCharacters("!#$%&'*+-.^_`|~");
/** unreserved and sub-delims of RFC 3986, section 3.2.2: what a host name may be made of, besides percent-encodings. */
const REG_NAME = setOfCharacters("-._~!$&'()*+,;=");
/** Visible ASCII characters other than `#`, of which a request target is made. */
const TARGET = setOf((byte) => byte > SPACE && byte < 0x7f && byte !== 0x23);
/** RFC 9110 section 5.5: visible characters, blanks and obs-text, of which a field value is made. */
const VALUE = setOf((byte) => (byte >= SPACE && byte !== 0x7f) || byte === TAB);
/** The byte itself, of a capital letter the small one. */
const LOWER_CASE = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte));

export const isRegName = (byte: number): boolean => REG_NAME[byte] === 1;

export const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB;

/** The value of a hexadecimal digit, or -1. */
export function hexDigit(byte: number): number {
  if (isDigit(byte)) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}

/** To look for the end once is enough: what is behind it is no byte of the run that counts, and behind the last byte there is none. */
function runEnd(bytes: Uint8Array, at: number, end: number, set: ByteSet): number {
  while (set[bytes[at] as number]) at++;
  return at < end ? at : end;
}

/** Where the run of token characters that begins at `at` ends. */
export const tokenEnd = (bytes: Uint8Array, at: number, end: number): number => runEnd(bytes, at, end, TOKEN);

/** Where the run of characters of a request target ends. */
export const targetEnd = (bytes: Uint8Array, at: number, end: number): number => runEnd(bytes, at, end, TARGET);

/** Where the run of characters of a field value ends. */
export const valueEnd = (bytes: Uint8Array, at: number, end: number): number => runEnd(bytes, at, end, VALUE);

export function skipBlanks(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && isBlank(bytes[at])) at++;
  return at;
}

/** The end of the range without the blanks it ends with. */
export function trimBlanks(bytes: Uint8Array, start: number, end: number): number {
  while (end > start && isBlank(bytes[end - 1])) end--;
  return end;
}

export function equals(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  if (end - start !== text.length) return false;
  for (let index = 0; start < end; start++, index++) if (bytes[start] !== text[index]) return false;
  return true;
}

/** Compares without regard to the case of ASCII letters; `text` is in lower case. */
export function equalsIgnoringCase(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  if (end - start !== text.length) return false;
  const lower = LOWER_CASE;
  for (let index = 0; start < end; start++, index++) if (lower[bytes[start] as number] !== text[index]) return false;
  return true;
}

/** Where the element of a comma-separated list that begins at `at` ends: at the comma or at the end of the list. */
export function elementEnd(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && bytes[at] !== COMMA) at++;
  return at;
}
