/** modules/signature, over the platform's mbedTLS. */
declare module "signature" {
  /**
   * Whether `signature` (r and s, 64 bytes) is that of `message` by ECDSA with SHA-256 over P-256. `key`: the public key, a point without
   * compression (65 bytes). False for what has another form.
   */
  export default function verify(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
}
