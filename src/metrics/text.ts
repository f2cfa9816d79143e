import { writeAscii } from "json/bytes";
import TextEncoder from "text/encoder";

const UNPRINTABLE = 0x3f; // ?
/** Not printable, but not escaped by JSON either. */
const DELETE = "\x7f";

/**
 * Writes a text from outside in quotes as a label's: at most `longest` bytes of its UTF-8, each that is not printable ASCII as `?`. Returns
 * the next position. Prometheus escapes quotes and backslashes as JSON does.
 */
export function writeText(into: Uint8Array, at: number, text: string, longest: number): number {
  const encoder = new TextEncoder();
  if (text.length <= longest && text.indexOf(DELETE) < 0) {
    // By the engine, if it finds nothing to escape and nothing that is not ASCII: byte by byte XS takes the tenfold.
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
