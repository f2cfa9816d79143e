import { MAX_STORED_DEPTH, MAX_STORED_TEXT } from "./limits";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** A group as stored: `{"version":1,"values":{…}}`. */
export interface StoredGroup {
  readonly version: number;
  readonly values: object;
}

export const textOf = (version: number, values: object): string => JSON.stringify({ version, values: copyOf(values) });

/** Defaults are in flash, where XS's JSON.stringify cannot mark objects as visited: "read only value". */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== "object") return value;
  const copy: Record<string, unknown> = {};
  for (const member in value) copy[member] = copyOf((value as typeof copy)[member]);
  return copy;
}

/** Parses a stored text; undefined if it is not a text, too long, not JSON, or of another shape. */
export function groupOf(stored: unknown): StoredGroup | undefined {
  // A text too long or too deeply nested would exhaust memory or stack, which cannot be caught on the device.
  if (typeof stored !== "string" || stored.length > MAX_STORED_TEXT || depth(stored) > MAX_STORED_DEPTH)
    return undefined;
  try {
    const group = JSON.parse(stored) as StoredGroup;
    if (Number.isInteger(group.version) && typeof group.values === "object" && group.values) return group;
  } catch {
    // Not JSON, or null.
  }
  return undefined;
}

/** The deepest nesting that a JSON parser would meet in `text`. */
function depth(text: string): number {
  let deepest = 0;
  let now = 0;
  let inText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inText) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) deepest = Math.max(deepest, ++now);
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) now--;
  }
  return deepest;
}
