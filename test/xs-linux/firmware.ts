/** What the tests' program has in flash: the firmware, and their probes beside it. */
export { flashStatus, flashSteps, forgetAll, recordFine } from "./history-orders";
export { Firmware } from "../../src/firmware";
export { probesOf } from "../support/system/probes";
