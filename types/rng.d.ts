/** `crypt/etc/rng` of the SDK, which has no typing of its own: seeded by the hardware's random generator. */
declare module "rng" {
  const RNG: {
    get(byteLength: number): ArrayBuffer;
  };
  export default RNG;
}
