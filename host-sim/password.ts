import { pbkdf2Sync, randomBytes } from "node:crypto";
import { KEY_BYTES } from "pbkdf2/pbkdf2";
import { ITERATIONS, SALT_BYTES } from "../src/web/limits";
import { formatHash } from "../src/web/password";

/** The stored form of a password chosen by the owner. */
export function hashPassword(password: string, iterations = ITERATIONS): string {
  const salt = randomBytes(SALT_BYTES);
  return formatHash(iterations, salt, pbkdf2Sync(password, salt, iterations, KEY_BYTES, "sha256"));
}
