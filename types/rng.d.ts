/** The SDK's `crypt/etc/rng`, which has no typings: seeded by the hardware RNG. */
declare module "rng" {
  const RNG: {
    get(byteLength: number): ArrayBuffer;
  };
  export default RNG;
}
