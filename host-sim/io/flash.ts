import type { Flash } from "embedded:storage/flash";
import { SimulatedBoard } from "../board";

/** The SDK's flash partitions, as far as the firmware uses them: the inactive application slot. */
const flash = Object.freeze({
  open({ path }: { readonly path: string }): Flash {
    if (path !== "nextota") throw new Error("can't find partition");
    const { size, blockLength } = SimulatedBoard.current.slots;
    return { status: () => ({ size, blockLength, blocks: size / blockLength }), close: () => undefined };
  },
});
export default flash;
