import TextDecoder from "text/decoder";
import { isShallow } from "./shallow";
import { isUtf8 } from "./utf8";

/** The members of a JSON object, by name. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * The members called `names` of a JSON object; undefined if `bytes` are anything else, not UTF-8, or nested deeper than `depth`, which would
 * overflow the parser's stack on the device. If a member is repeated, the last one counts.
 *
 * XS takes an array as the second parameter of JSON.parse and drops members with other names, on every level, while it parses: it never
 * frees the key of a new property name, so a client that sent ever new ones would exhaust the keys. This is an extension of XS. Node.js
 * ignores an array there and keeps all members, so nothing may depend on their absence.
 */
export function parseMembers(bytes: Uint8Array, names: readonly string[], depth: number): Members | undefined {
  if (!isUtf8(bytes) || !isShallow(bytes, depth)) return undefined;
  try {
    // Created per call: requests are short and rare, and a decoder kept in between would use memory.
    const value = JSON.parse(new TextDecoder().decode(bytes), names as string[]);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}
