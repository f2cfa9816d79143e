/**
 * Writers of parts of a document at byte `at` of a buffer, for tables that track their own position. Each returns the next position;
 * bytes beyond the end of the buffer are dropped.
 */
import TextEncoder from "text/encoder";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Bytes of a document, encoded once for a table in flash. Throws a RangeError unless `text` is printable ASCII. */
export function jsonBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (_, index) => {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code > 0x7e) throw new RangeError("JSON bytes");
    return code;
  });
}

/** A text as it is: JSON that is ready. On XS it costs some 20 steps more than bytes, which take seven slots of flash where a text takes one. */
export function writeText(into: Uint8Array, at: number, text: string): number {
  const bytes = new TextEncoder().encode(text);
  const end = at + bytes.length;
  if (end <= into.length) into.set(bytes, at);
  return end;
}

/** Values that `JSON.stringify` may write: no objects in flash, for which XS throws a TypeError, and no numbers that must be exact. */
export type JsonValue = string | number | boolean | null | { readonly [member: string]: JsonValue | undefined };

/** Uses native JSON.stringify: a loop would take XS some 50 steps per character. */
export function writeValue(into: Uint8Array, at: number, value: JsonValue): number {
  return writeText(into, at, JSON.stringify(value));
}

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
