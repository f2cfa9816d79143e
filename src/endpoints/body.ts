import { lowerCase } from "ascii/case";
import { parseMembers, type Members } from "json/parse";
import { isUtf8 } from "json/utf8";
import TextDecoder from "text/decoder";
import { MAX_JSON_DEPTH } from "./limits";

/** The media types of request bodies. */
export type BodyType = "json" | "form";

/** The body type for a Content-Type (RFC 9110 section 8.3.1: case-insensitive, parameters allowed); undefined for any other. */
export function bodyType(contentType: string | undefined): BodyType | undefined {
  if (contentType === undefined) return undefined;
  const semicolon = contentType.indexOf(";");
  const mediaType = semicolon < 0 ? contentType : contentType.slice(0, semicolon);
  switch (lowerCase(mediaType.trim())) {
    case "application/json":
      return "json";
    case "application/x-www-form-urlencoded":
      return "form";
    default:
      return undefined;
  }
}

/**
 * The members called `names` of a request body; undefined if it is not of that type, not UTF-8, or not an object. If a member
 * is repeated, the last one counts.
 */
export function parseBody(type: BodyType, bytes: Uint8Array, names: readonly string[]): Members | undefined {
  if (type === "json") return parseMembers(bytes, names, MAX_JSON_DEPTH);
  if (!isUtf8(bytes)) return undefined;
  try {
    return parseForm(bytes, names);
  } catch {
    return undefined;
  }
}

/** Parses application/x-www-form-urlencoded (URL standard section 5.1), but rejects malformed percent-encoding. */
function parseForm(bytes: Uint8Array, names: readonly string[]): Members {
  const text = new TextDecoder().decode(bytes);
  const members: Record<string, string> = {};
  for (let start = 0; start < text.length;) {
    const ampersand = text.indexOf("&", start);
    const end = ampersand < 0 ? text.length : ampersand;
    const equals = text.indexOf("=", start);
    const nameEnd = equals < 0 || equals > end ? end : equals;
    const name = decodeField(text.slice(start, nameEnd));
    const value = decodeField(text.slice(nameEnd + 1, end));
    if (names.includes(name)) members[name] = value;
    start = end + 1;
  }
  return members;
}

/** Throws a URIError if the percent-encoding is malformed or not UTF-8. */
function decodeField(field: string): string {
  return decodeURIComponent(field.replaceAll("+", " "));
}
