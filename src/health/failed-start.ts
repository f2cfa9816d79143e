import { laterOrNow } from "../runtime/timers";
import { RESTART_AFTER_FAILED_START } from "./limits";

/** What there is of a device that could not be built. */
interface FailedDevice {
  readonly start?: { readonly safe: boolean };
  readonly parts?: { start(first: "button", end: "network"): void };
}

/**
 * The device cannot be built. Relay, button and LED work as far as they came; after a while the error ends the script, which counts as a
 * crash and is shown by the next start that succeeds. In safe mode it stays so until the button is pressed: the next start would end
 * no better, and without a count.
 */
export function failedStart(error: unknown, { parts, start }: FailedDevice): void {
  trace(`start: ${String(error)}\n`);
  parts?.start("button", "network");
  if (start?.safe) return;
  laterOrNow(() => {
    throw error;
  }, RESTART_AFTER_FAILED_START);
}
