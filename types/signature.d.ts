/** modules/signature, over the platform's mbedTLS. */
declare module "signature" {
  /**
   * Whether `signature` (r and s, 64 bytes) is a valid ECDSA signature of `message` with SHA-256 over P-256. `key`: the public key, an
   * uncompressed point (65 bytes). False for malformed input.
   */
  export default function verify(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
}
