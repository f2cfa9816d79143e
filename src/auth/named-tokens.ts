/**
 * Named API tokens: 128 random bits as 32 hexadecimal digits, of which only the SHA-256 is stored. 128 bits cannot be guessed,
 * so no slow hash is needed.
 */
import type { Digest } from "pbkdf2/pbkdf2";
import { hexBytes, hexOf } from "../runtime/hex";
import { TOKEN_BYTES } from "../settings/limits";
import type { TokenSettings } from "../settings/types";
import { isSecret } from "./secret";

/** Undefined if `token` is not of this form. */
export const tokenHash = (digest: Digest, token: string): string | undefined => {
  const bytes = hexBytes(token);
  if (bytes?.length !== TOKEN_BYTES) return undefined;
  digest.reset();
  digest.write(bytes.buffer as ArrayBuffer);
  return hexOf(new Uint8Array(digest.close()));
};

/** The named token that `given` is. */
export const findToken = (
  tokens: readonly TokenSettings[],
  given: string,
  makeDigest: () => Digest,
): TokenSettings | undefined => {
  if (!tokens.some(({ hash }) => hash)) return undefined;
  const hash = tokenHash(makeDigest(), given);
  return hash === undefined ? undefined : tokens.find((token) => isSecret(hash, token.hash));
};
