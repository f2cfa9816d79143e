/** Of the SDK's modules/crypt/arith, which has no typing of its own, as far as modules/tls-socket uses it. */
declare module "ecp" {
  export default class ECPoint {
    constructor(x: bigint, y: bigint);
  }
}
