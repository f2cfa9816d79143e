import { random } from "native";

/** Uses the kernel's RNG: the SDK's is seeded with rand() on Linux. */
const RNG = { get: random };
export default Object.freeze(RNG, true);
