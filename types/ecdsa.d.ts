/** Of the SDK's modules/crypt/etc, which has no typing of its own, as far as modules/tls-socket uses it. */
declare module "ecdsa" {
  import type Curve from "curve";
  import type ECPoint from "ecp";

  export default class ECDSA {
    constructor(key: ECPoint, curve: Curve);
    verify(digest: ArrayBuffer, signature: Uint8Array, isDer: true): boolean;
  }
}
