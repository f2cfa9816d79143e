import { createPublicKey, verify as verifies } from "node:crypto";

const POINT_BYTES = 65;
const SIGNATURE_BYTES = 64;

/** The equivalent of the device's modules/signature, using OpenSSL. */
export default function verify(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== POINT_BYTES || key[0] !== 4 || signature.length !== SIGNATURE_BYTES) return false;
  const coordinate = (at: number): string => Buffer.from(key.subarray(at, at + 32)).toString("base64url");
  try {
    const jwk = { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33) };
    return verifies(
      "sha256",
      message,
      { key: createPublicKey({ format: "jwk", key: jwk }), dsaEncoding: "ieee-p1363" },
      signature,
    );
  } catch {
    // Not a point on the curve.
    return false;
  }
}
