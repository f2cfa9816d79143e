import { bytesOf } from "../bytes";
import type { Updating } from "embedded:update";
import type { Partition } from "embedded:storage/flash";
import { SimulatedBoard } from "../board";

/** The SDK's update class over the simulated slots. */
const update = Object.freeze({
  open(_options: { readonly partition: Partition; readonly mode?: "a" | "w" }): Updating {
    let image: ReturnType<SimulatedBoard["slots"]["begin"]> | undefined = SimulatedBoard.current.slots.begin();
    const opened = (): NonNullable<typeof image> => {
      if (!image) throw new Error("already complete");
      return image;
    };
    return {
      write: (bytes) => opened().write(bytesOf(bytes)),
      complete() {
        opened().complete();
        image = undefined;
      },
      close: () => void (image = undefined),
    };
  },
});
export default update;
