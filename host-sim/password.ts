import { pbkdf2Sync, randomBytes } from "node:crypto";
import { KEY_BYTES } from "pbkdf2/pbkdf2";
import { ITERATIONS, SALT_BYTES } from "../src/web/limits";
import { keptText } from "../src/web/password";

/** The stored form of a password chosen by the owner. */
export function keptPassword(password: string, iterations = ITERATIONS): string {
  const salt = randomBytes(SALT_BYTES);
  return keptText(iterations, salt, pbkdf2Sync(password, salt, iterations, KEY_BYTES, "sha256"));
}
