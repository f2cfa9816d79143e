import { writeAscii } from "json/bytes";
import TextEncoder from "text/encoder";

const UNPRINTABLE = 0x3f; // ?

/**
 * Writes a text from outside in quotes as a label's: at most `longest` bytes of its UTF-8, each that is not printable ASCII as `?`. Returns
 * the next position. Prometheus escapes quotes and backslashes as JSON does.
 */
export function writeText(into: Uint8Array, at: number, text: string, longest: number): number {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return writeAscii(into, at, view, 0, Math.min(bytes.length, longest), UNPRINTABLE);
}
