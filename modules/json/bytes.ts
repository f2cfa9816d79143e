/** Writers of texts at byte `at` of a buffer. Each returns the next position; what does not fit the buffer is not written. */
import TextEncoder from "text/encoder";

const encoder = Object.freeze(new TextEncoder());

/** A text as it is, in UTF-8. */
export function writeText(into: Uint8Array, at: number, text: string): number {
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
