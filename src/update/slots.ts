import { confirm, reject, runningSlot } from "application";
import Flash from "embedded:storage/flash";
import Update from "embedded:update";
import type { Slots } from "./types";

/** The SDK's name, taken from ESP-IDF, for the inactive application slot. */
const NEXT = "nextota";

/** The platform's application slots. */
export const APPLICATION_SLOTS: Slots = Object.freeze(
  {
    get size() {
      try {
        const partition = Flash.open({ path: NEXT });
        const { size } = partition.status();
        partition.close();
        return size;
      } catch {
        // A board without a second slot.
        return 0;
      }
    },
    get running() {
      return runningSlot();
    },
    open: () => Update.open({ partition: Flash.open({ path: NEXT }), mode: "a" }),
    confirm: () => confirm(),
    reject: () => reject(),
  },
  true,
);
