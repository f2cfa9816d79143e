/**
 * Parts of a document that are written at byte `at` of a buffer, for tables whose rows know their place. Each returns where the next byte
 * goes; what is beyond the buffer's end is lost.
 */
import TextEncoder from "text/encoder";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Bytes of a document, made once for a table in flash. Throws a RangeError unless `text` is printable ASCII. */
export function jsonBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (_, index) => {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code > 0x7e) throw new RangeError("JSON bytes");
    return code;
  });
}

/** The same for each of several, as parts of one array: in flash, a buffer of its own holds three slots more. */
export function jsonParts(texts: readonly string[]): Uint8Array[] {
  const all = jsonBytes(texts.join(""));
  let end = 0;
  return texts.map((text) => {
    const start = end;
    end += text.length;
    return all.subarray(start, end);
  });
}

export const TRUE = jsonBytes("true");
export const FALSE = jsonBytes("false");
export const NULL = jsonBytes("null");

export function writeBytes(into: Uint8Array, at: number, bytes: Uint8Array): number {
  const end = at + bytes.length;
  if (end <= into.length) into.set(bytes, at);
  return end;
}

/** What may be left to `JSON.stringify`: no object in flash, for which XS throws a TypeError, and no number that must be exact. */
export type JsonValue = string | number | boolean | null | { readonly [member: string]: JsonValue | undefined };

/** The engine's own text of it: for each character of a text a loop would take XS some 50 steps. */
export function writeValue(into: Uint8Array, at: number, value: JsonValue): number {
  return writeBytes(into, at, new TextEncoder().encode(JSON.stringify(value)));
}

/** 1: the byte stands for itself in a JSON text. 2: a backslash goes before it. 0: it is no printable ASCII. */
const PLAIN = Uint8Array.from({ length: 0x100 }, (_, code) => {
  if (code === QUOTE || code === BACKSLASH) return 2;
  return code >= 0x20 && code < 0x7f ? 1 : 0;
});

/**
 * A text of ASCII of at most `length` bytes, which a NUL ends, as a JSON text.
 * @param other stands for every byte that is no printable ASCII.
 */
export function writeAscii(
  into: Uint8Array,
  at: number,
  view: DataView,
  offset: number,
  length: number,
  other: number,
): number {
  const end = offset + length;
  let code = 0;
  into[at] = QUOTE;
  at++;
  while (offset < end) {
    code = view.getUint8(offset);
    offset++;
    if (PLAIN[code] !== 1) {
      if (!code) break;
      if (PLAIN[code]) {
        into[at] = BACKSLASH;
        at++;
      } else code = other;
    }
    into[at] = code;
    at++;
  }
  into[at] = QUOTE;
  return at + 1;
}
