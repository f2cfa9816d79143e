/** Of the SDK's modules/crypt/ssl, which has no typing of its own, as far as modules/tls-socket uses it. */
declare module "ssl/constants" {
  export const AES: number;
  export const ECDHE_RSA: number;
  export const GCM: number;
  export const SHA256: number;
}
