/** Stored form of a password: `pbkdf2-sha256$iterations$salt$key`, salt and key in hexadecimal. The password itself is never stored. */
import { KEY_BYTES } from "pbkdf2/pbkdf2";
import { hexBytes, hexOf } from "../runtime/hex";
import { MAX_ITERATIONS, MAX_PASSWORD, MIN_PASSWORD, SALT_BYTES } from "./limits";

const SCHEME = "pbkdf2-sha256";
const PERCENT = 0x25;

export interface PasswordHash {
  readonly iterations: number;
  readonly salt: Uint8Array;
  /** Hexadecimal. */
  readonly key: string;
}

/** The stored form. */
export function formatHash(iterations: number, salt: Uint8Array, key: Uint8Array): string {
  return `${SCHEME}$${iterations}$${hexOf(salt)}$${hexOf(key)}`;
}

/** Undefined for a text that is not in this form. */
export function parseHash(text: string): PasswordHash | undefined {
  const [scheme, count = "", saltText = "", key = "", ...rest] = text.split("$");
  const iterations = Number(count);
  const salt = hexBytes(saltText);
  if (scheme !== SCHEME || rest.length || salt?.length !== SALT_BYTES || hexBytes(key)?.length !== KEY_BYTES)
    return undefined;
  if (!Number.isInteger(iterations) || iterations < 1 || iterations > MAX_ITERATIONS) return undefined;
  return { iterations, salt, key };
}

/** Whether `password` is acceptable as a new password. */
export function isPassword(password: string): boolean {
  const bytes = utf8Of(password);
  if (!bytes) return false;
  let characters = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number;
    if (byte < 0x20 || byte === 0x7f) return false;
    if ((byte & 0xc0) !== 0x80) characters++;
  }
  return characters >= MIN_PASSWORD && characters <= MAX_PASSWORD;
}

/** The UTF-8 of `text`; undefined if it has lone surrogates. */
export function utf8Of(text: string): Uint8Array | undefined {
  let encoded: string;
  try {
    encoded = encodeURIComponent(text);
  } catch {
    return undefined;
  }
  const bytes = new Uint8Array(encoded.length);
  let length = 0;
  for (let index = 0; index < encoded.length; index++) {
    let byte = encoded.charCodeAt(index);
    if (byte === PERCENT) {
      byte = Number.parseInt(encoded.slice(index + 1, index + 3), 16);
      index += 2;
    }
    bytes[length++] = byte;
  }
  return bytes.slice(0, length);
}
