import { derOf } from "../runtime/pem";
import {
  MAX_ALLOWED,
  MAX_BSSID,
  MAX_CERTIFICATE_LINES,
  MAX_HOSTS,
  MIN_HOSTS,
  MIN_PASSPHRASE,
  WIFI_KEY,
} from "./limits";

const LINE_FEED = 0x0a;
/** Asks for the coloured form of the symbol before it; phones add it to many emoji. */
const EMOJI_FORM = 0xfe0f;
const FIRST_SYMBOL = 0x2000;

/** Rules for the characters of text settings. */
export type TextRule =
  | "name"
  | "hostname"
  | "token"
  | "utf8"
  | "ascii"
  | "passphrase"
  | "host"
  | "ipv4"
  | "mask"
  | "clients"
  | "topic"
  | "certificate"
  | "zone"
  | "url"
  | "key";

/** Whether `text` has `minimum` to `maximum` characters (code points; with the rule "utf8", bytes) and conforms to `rule`. */
export function isText(rule: TextRule, text: string, minimum: number, maximum: number): boolean {
  // A character takes at most two UTF-16 units: longer texts fail without a scan.
  if (text.length > 2 * maximum) return false;
  let count = 0;
  let blanks = 0;
  let before = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index) as number;
    if (code > 0xffff) index++;
    count++;
    if (code === 0x20) blanks++;
    switch (rule) {
      case "name":
        if (!isPrintable(code) && !(code === EMOJI_FORM && before >= FIRST_SYMBOL && before !== EMOJI_FORM))
          return false;
        break;
      case "hostname":
        if (!isAlphanumeric(code) && code !== 0x2d) return false;
        break;
      case "token":
        if (code < 0x21 || code > 0x7e) return false;
        break;
      case "utf8":
        // What others have named: emoji have joiners and variation selectors, so only control characters are out.
        if (isControl(code) || isSurrogate(code)) return false;
        count += code > 0xffff ? 3 : code > 0x7ff ? 2 : code > 0x7f ? 1 : 0;
        break;
      case "ascii":
      case "passphrase":
      case "zone":
        if (code < 0x20 || code > 0x7e) return false;
        break;
      case "url":
      case "key":
        // Neither blanks nor what is escaped in JSON.
        if (code < 0x21 || code > 0x7e || code === 0x22 || code === 0x5c) return false;
        break;
      case "host":
        if (!isAlphanumeric(code) && code !== 0x2d && code !== 0x2e) return false;
        break;
      case "ipv4":
      case "mask":
      case "clients":
        // Its shape leaves no other characters.
        break;
      case "topic":
        if (!isPrintable(code) || code === 0x23 || code === 0x2b) return false;
        break;
      case "certificate":
        if (code !== LINE_FEED && (code < 0x20 || code > 0x7e)) return false;
        break;
    }
    before = code;
  }
  if (count < minimum || count > maximum) return false;
  return isShaped(rule, text, blanks === count);
}

function isShaped(rule: TextRule, text: string, blank: boolean): boolean {
  switch (rule) {
    case "name":
      return !blank;
    case "hostname":
      return isLabel(text);
    case "passphrase":
      return !text || (text.length >= MIN_PASSPHRASE && (text.length < WIFI_KEY || isKey(text)));
    case "host":
      return !text || text.split(".").every((label) => label && isLabel(label));
    case "ipv4":
      return !text || isIPv4(text);
    case "mask":
      return isMask(text);
    case "clients":
      return !text || areIPv4(text);
    case "topic":
      return !text.startsWith("/") && !text.endsWith("/");
    case "certificate":
      return !text || (text.split("\n").length <= MAX_CERTIFICATE_LINES + 1 && derOf(text) !== undefined);
    case "token":
    case "utf8":
    case "ascii":
    case "zone":
    case "url":
    case "key":
      return true;
  }
}

/** Hexadecimal digits only. */
function isKey(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Letters in lower case.
    if (!isDigit(code) && !((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)) return false;
  }
  return true;
}

/** None, or the address of an access point as a scan has it: six pairs of digits in lower case with colons between. */
export function isBssid(text: string): boolean {
  if (text && text.length !== MAX_BSSID) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (index % 3 === 2 ? code !== 0x3a : !isDigit(code) && !(code >= 0x61 && code <= 0x66)) return false;
  }
  return true;
}

const isLabel = (text: string): boolean => !text.startsWith("-") && !text.endsWith("-");

/** Four decimal numbers without leading zeros, which some parsers read as octal, and without signs. */
function isIPv4(text: string): boolean {
  const parts = text.split(".");
  return (
    parts.length === 4 && parts.every((part) => part >= "0" && part === String(Number(part)) && Number(part) <= 255)
  );
}

/** Ones, then zeros, and a network of MIN_HOSTS to MAX_HOSTS addresses: with any other the device's own network would be nobody, or everybody. */
export function isMask(text: string): boolean {
  if (!isIPv4(text)) return false;
  let hosts = 0;
  for (const part of text.split(".")) hosts = hosts * 256 + 255 - Number(part);
  return hosts >= MIN_HOSTS - 1 && hosts < MAX_HOSTS && (hosts & (hosts + 1)) === 0;
}

/** At least one and at most MAX_ALLOWED addresses, with blanks or commas between. */
function areIPv4(text: string): boolean {
  const all = text
    .replaceAll(",", " ")
    .split(" ")
    .filter((one) => one);
  return all.length > 0 && all.length <= MAX_ALLOWED && all.every(isIPv4);
}

/** C0, DEL, C1. */
const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code <= 0x9f);

/** A lone one, which UTF-8 cannot encode. */
const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/**
 * No control characters (C0, DEL, C1), no line and paragraph separators, nothing that has no width (two names could look the same), no
 * Unicode bidirectional controls (marks, embeddings, overrides and isolates), and no lone surrogates, which UTF-8 cannot encode.
 */
const isPrintable = (code: number): boolean =>
  !isControl(code) &&
  !isSurrogate(code) &&
  // Soft hyphen, grapheme joiner, Arabic letter mark, Mongolian separators.
  code !== 0xad &&
  code !== 0x34f &&
  code !== 0x61c &&
  !(code >= 0x180b && code <= 0x180f) &&
  !(code >= 0x200b && code <= 0x200f) &&
  !(code >= 0x2028 && code <= 0x202e) &&
  !(code >= 0x2060 && code <= 0x206f) &&
  // Variation selectors, byte order mark, tags.
  !(code >= 0xfe00 && code <= 0xfe0f) &&
  code !== 0xfeff &&
  !(code >= 0xe0000 && code <= 0xe0fff);

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

const isAlphanumeric = (code: number): boolean =>
  isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
