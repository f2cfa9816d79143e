import type { Parts } from "./run";

/** The seam between the command line and the product: replaced by the firmware's main and the simulated BMS once both are there. */
export const parts: Parts = {
  main: () => {
    throw new Error("this build has no firmware yet");
  },
  bms: () => {
    throw new Error("this build has no simulated BMS yet");
  },
  faultHelp: "",
};
