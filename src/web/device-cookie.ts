/**
 * Proof that this browser has signed in before, so that its next sign-in does not queue behind strangers' guesses: a nonce and the SHA-256
 * of the nonce and the stored password. It grants no access. Nothing of it is stored on the device, and changing the password invalidates
 * it.
 */
import type { Digest } from "pbkdf2/pbkdf2";
import type RNG from "rng";
import { isSecret } from "../auth/secret";
import { cookieValue } from "./cookies";
import { DEVICE_COOKIE_LIFE, NONCE_BYTES, PROOF_BYTES } from "./limits";
import { hexOf } from "../runtime/hex";
import { utf8Of } from "./password";

const COOKIE = "device=";
const NONCE_DIGITS = 2 * NONCE_BYTES;

/** The value of `Set-Cookie`; browsers return it only to /web/session. `stored`: the password as stored. `tls`: the browser uses TLS. */
export const makeDeviceCookie = (random: typeof RNG, digest: Digest, stored: string, tls: boolean): string => {
  const nonce = hexOf(new Uint8Array(random.get(NONCE_BYTES)));
  const proof = proofOf(nonce, digest, stored);
  const cookie = `${COOKIE}${nonce}${proof}; Max-Age=${DEVICE_COOKIE_LIFE}; Path=/web/session; HttpOnly; SameSite=Strict`;
  return tls ? `${cookie}; Secure` : cookie;
};

/** The nonce of the cookie in a Cookie field; undefined if absent or its proof is wrong. */
export const knownDevice = (field: string | undefined, digest: Digest, stored: string): string | undefined => {
  const given = cookieValue(field, COOKIE);
  if (given === undefined) return undefined;
  const nonce = given.slice(0, NONCE_DIGITS);
  return isSecret(given.slice(NONCE_DIGITS), proofOf(nonce, digest, stored)) ? nonce : undefined;
};

/** PROOF_BYTES in hexadecimal: the SHA-256 of `nonce` and the stored password. */
export const proofOf = (nonce: string, digest: Digest, stored: string): string => {
  digest.reset();
  digest.write((utf8Of(nonce + stored) as Uint8Array).buffer as ArrayBuffer);
  return hexOf(new Uint8Array(digest.close(), 0, PROOF_BYTES));
};
