import { confirm, reject, restart } from "application";
import Flash from "embedded:storage/flash";
import Update from "embedded:update";
import type { Slots } from "./types";

/** ESP-IDF's name, in the SDK, for the application slot that does not run. */
const NEXT = "nextota";

/** The platform's application slots; of size 0 where there is but one. */
export function applicationSlots(): Slots {
  let size = 0;
  try {
    const partition = Flash.open({ path: NEXT });
    size = partition.status().size;
    partition.close();
  } catch {
    // A board without a second slot.
  }
  return {
    size,
    open: () => Update.open({ partition: Flash.open({ path: NEXT }), mode: "a" }),
    confirm,
    reject,
    restart,
  };
}
