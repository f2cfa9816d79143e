/** Of the SDK's modules/crypt/arith, which has no typing of its own, as far as modules/tls-socket uses it. */
declare module "modular" {
  export default class Modular {
    constructor(modulus: bigint);
    exp(base: bigint, exponent: bigint): bigint;
  }
}
