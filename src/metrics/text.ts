import { textAt } from "jk-bms/fields";
import { writeText } from "json/bytes";
import TextEncoder from "text/encoder";
import { MAX_VALUE_BYTES, NAME_RESERVE } from "./limits";

/**
 * An external text as a quoted label value: at most `longest` bytes of its UTF-8, with `?` for each byte that is not printable ASCII. Prometheus
 * escapes quotes and backslashes as JSON does.
 */
export function labelOf(text: string, longest: number): string {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return JSON.stringify(textAt(view, 0, Math.min(bytes.length, longest)));
}

/** The name of a family from its name and help. */
export const nameOf = (text: string): string => text.slice(0, text.indexOf(" "));

/** HELP and TYPE lines from a family's name, and its name and help. */
export const headOf = (name: string, text: string): string =>
  `# HELP ${text}.\n# TYPE ${name} ${name.endsWith("_total") ? "counter" : "gauge"}\n`;

/** Writes a sample whose line up to its value is `lead`. Returns the next position, or `at` if it does not fit. */
export function writeSample(into: Uint8Array, at: number, lead: string, value: number, decimals: number): number {
  if (at + lead.length + NAME_RESERVE + MAX_VALUE_BYTES > into.length) return at;
  return writeText(into, at, `${lead}${decimals > 0 ? value / 10 ** decimals : value}\n`);
}
