import { random } from "native";

/** The SDK's generator is seeded with rand() on Linux: this is the kernel's. */
const RNG = { get: random };
export default Object.freeze(RNG, true);
