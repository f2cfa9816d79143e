import RNG from "sdk/rng";

/**
 * The SDK's generator, seeded by the hardware's for each answer. It begins at the same places of its state each time: asked again and again
 * for a byte, as MQTT does for its pauses, it puts its state in order, and after 250 of them at most gives the same for ever. What it gives
 * for keys can be guessed then.
 */
const get = (byteLength) => {
  RNG.init();
  return RNG.get(byteLength);
};

export default Object.freeze({ get }, true);
