import { writeAscii } from "json/bytes";
import TextEncoder from "text/encoder";

const UNPRINTABLE = 0x3f; // ?
/** Not printable, but not escaped by JSON either. */
const DELETE = "\x7f";

/**
 * Writes an external text as a quoted label value: at most `longest` bytes of its UTF-8, with `?` for each byte that is not printable ASCII.
 * Returns the next position. Prometheus escapes quotes and backslashes as JSON does.
 */
export function writeLabel(into: Uint8Array, at: number, text: string, longest: number): number {
  const encoder = new TextEncoder();
  if (text.length <= longest && text.indexOf(DELETE) < 0) {
    // Native JSON.stringify, if the text needs no escapes and is ASCII: a loop over its bytes takes XS ten times as long.
    const json = encoder.encode(JSON.stringify(text));
    if (json.length === text.length + 2) {
      into.set(json, at);
      return at + json.length;
    }
  }
  const bytes = encoder.encode(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return writeAscii(into, at, view, 0, Math.min(bytes.length, longest), UNPRINTABLE);
}
