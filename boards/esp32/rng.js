import RNG from "sdk/rng";

/**
 * The SDK's generator, reseeded from the hardware RNG before each call. Without a reseed it starts at the same positions of its state
 * each time: repeated one-byte requests, as MQTT makes for its back-off, sort the state, and after at most 250 of them it returns the
 * same byte forever, which makes keys predictable.
 */
const get = (byteLength) => {
  RNG.init();
  return RNG.get(byteLength);
};

export default Object.freeze({ get }, true);
