import { equalsIgnoringCase } from "./characters";
import type { KeptHeader } from "./types";

/** The header fields the server knows. The order is the number of each: those kept for the handler first. */
const NAMES: readonly string[] = Object.freeze(
  [
    "accept-encoding",
    "authorization",
    "content-length",
    "content-type",
    "cookie",
    "host",
    "if-none-match",
    "origin",
    "sec-fetch-site",
    "connection",
    "expect",
    "transfer-encoding",
  ],
  true,
);

export const ACCEPT_ENCODING = 0;
export const CONTENT_LENGTH = 2;
export const COOKIE = 4;
export const HOST = 5;
export const IF_NONE_MATCH = 6;
/** Fields from this one on are looked at as they come in and not kept. */
export const KEPT_FIELDS = 9;
export const CONNECTION = 9;
export const EXPECT = 10;
export const TRANSFER_ENCODING = 11;
export const UNKNOWN_FIELD = -1;

/** The longest name. */
export const NAME_BYTES = 17;

/** Fields that are lists, so that several lines of them are one (RFC 9110 section 5.3; for cookie RFC 6265 section 5.4). */
export const isList = (field: number): boolean =>
  field === ACCEPT_ENCODING || field === IF_NONE_MATCH || field === COOKIE || field === CONNECTION;

export const fieldNumber = (name: KeptHeader): number => NAMES.indexOf(name);

/** The number of the field whose name is in `bytes`, in any case. */
export function findField(bytes: Uint8Array, start: number, length: number): number {
  if (length > NAME_BYTES) return UNKNOWN_FIELD;
  for (let field = 0; field < NAMES.length; field++) {
    if (equalsIgnoringCase(bytes, start, start + length, NAMES[field] as string)) return field;
  }
  return UNKNOWN_FIELD;
}
