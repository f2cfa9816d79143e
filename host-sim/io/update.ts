import { bytesOf } from "../bytes";
import type { Updater } from "embedded:update";
import type { Flash } from "embedded:storage/flash";
import { SimulatedBoard } from "../board";

/** The SDK's update class, on the simulated slots. */
const update = Object.freeze({
  open(_options: { readonly partition: Flash; readonly mode?: "a" | "w" }): Updater {
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
