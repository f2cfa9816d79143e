/** Writers of texts at byte `at` of a buffer. Each returns the next position; what does not fit the buffer is not written. */
import TextEncoder from "text/encoder";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A text as it is, in UTF-8. */
export function writeText(into: Uint8Array, at: number, text: string): number {
  const encoder = new TextEncoder();
  // A character takes three bytes at most.
  if (at + 3 * text.length <= into.length)
    return at + encoder.encodeInto(text, new Uint8Array(into.buffer, into.byteOffset + at)).written;
  const bytes = encoder.encode(text);
  const end = at + bytes.length;
  if (end <= into.length) into.set(bytes, at);
  return end;
}

/** Values that `JSON.stringify` may write: no objects in flash, for which XS throws a TypeError, and no numbers that must be exact. */
export type JsonValue = string | number | boolean | null | { readonly [member: string]: JsonValue | undefined };

/** 1: literal in a JSON string. 2: needs a backslash. 0: not printable ASCII. */
const PLAIN = Uint8Array.from({ length: 0x100 }, (_, code) => {
  if (code === QUOTE || code === BACKSLASH) return 2;
  return code >= 0x20 && code < 0x7f ? 1 : 0;
});

/**
 * An ASCII text of at most `length` bytes, up to a NUL, as a JSON string.
 * @param other replaces every byte that is not printable ASCII.
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
