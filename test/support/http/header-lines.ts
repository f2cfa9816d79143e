import type { HeaderLine } from "http-server/types";

/** Name and value of each header line, from any accepted form. */
export function linesOf(headers: readonly HeaderLine[]): (readonly [name: string, value: string])[] {
  return headers.flatMap((line) => {
    if (typeof line !== "string") return [line];
    const lines = line.split("\r\n").slice(0, -1);
    return lines.map((text): [string, string] => {
      const colon = text.indexOf(": ");
      return [text.slice(0, colon), text.slice(colon + 2)];
    });
  });
}
