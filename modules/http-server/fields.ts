import { asciiParts, equalsIgnoringCase } from "./characters";

/** The known header fields, numbered by their order: those kept for the handler come first. */
const NAMES = Object.freeze(
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
    "x-forwarded-for",
    "accept",
    "connection",
    "expect",
    "transfer-encoding",
  ] as const,
  true,
);

/** Header fields whose values are kept; all others are validated and dropped as they come in. */
export type KeptHeader = Exclude<(typeof NAMES)[number], "connection" | "expect" | "transfer-encoding">;

const BYTES: readonly Uint8Array[] = Object.freeze(asciiParts(NAMES), true);

export const ACCEPT_ENCODING = 0;
export const CONTENT_LENGTH = 2;
export const COOKIE = 4;
export const HOST = 5;
export const IF_NONE_MATCH = 6;
const X_FORWARDED_FOR = 9;
/** Fields from this number on are evaluated as they come in and not kept. */
const ACCEPT = 10;
export const KEPT_FIELDS = 11;
export const CONNECTION = 11;
export const EXPECT = 12;
export const TRANSFER_ENCODING = 13;
export const UNKNOWN_FIELD = -1;

/** Length of the longest name. */
const NAME_BYTES = 17;

/** Field numbers by the length of their name, 0 to NAME_BYTES bytes. */
const BY_LENGTH: readonly (readonly number[])[] = Object.freeze(
  Array.from({ length: NAME_BYTES + 1 }, (_, length) =>
    Object.freeze(
      NAMES.map((_name, field) => field).filter((field) => BYTES[field]?.length === length),
      true,
    ),
  ),
  true,
);

/** List fields, whose lines are combined into one value (RFC 9110 section 5.3; Cookie: RFC 6265 section 5.4). */
export const isList = (field: number): boolean =>
  field === ACCEPT ||
  field === ACCEPT_ENCODING ||
  field === IF_NONE_MATCH ||
  field === COOKIE ||
  field === CONNECTION ||
  field === X_FORWARDED_FOR;

export const fieldNumber = (name: KeptHeader): number => NAMES.indexOf(name);

/** The number of the field named in `bytes`, ignoring case. */
export function findField(bytes: Uint8Array, start: number, length: number): number {
  const fields = BY_LENGTH[length];
  if (!fields) return UNKNOWN_FIELD;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as number;
    if (equalsIgnoringCase(bytes, start, start + length, BYTES[field] as Uint8Array)) return field;
  }
  return UNKNOWN_FIELD;
}
