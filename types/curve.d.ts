/** Of the SDK's modules/crypt/etc, which has no typing of its own, as far as modules/tls-socket uses it. */
declare module "curve" {
  export default class Curve {
    constructor(name: "secp256r1" | "secp384r1");
    /** Order of the base point. */
    readonly n: bigint;
    /** Of `n`, bytes. */
    readonly orderSize: number;
  }
}
