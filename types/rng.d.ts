/** The device's random generator (boards/esp32/rng.c). Throws without memory. */
declare module "rng" {
  const RNG: {
    get(byteLength: number): ArrayBuffer;
  };
  export default RNG;
}
