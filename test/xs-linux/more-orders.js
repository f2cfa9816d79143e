import { probesOf } from "firmware";
import { disturb } from "nvs";
import Timer from "timer";

const made = Symbol("probes");

/** The firmware's probes: made, and taking memory, once the first is asked. */
const probesIn = (firmware) => (firmware[made] ??= probesOf(firmware));

export const MORE_ORDERS = Object.freeze(
  {
    probe: ({ name, parameters }, firmware) => probesIn(firmware)[name](...parameters),
    /** The script never comes back. */
    hang: () => {
      for (;;);
    },
    /** An exception that nothing catches, once this has been answered. */
    crash: () => {
      Timer.set(() => {
        throw new Error("crash");
      });
    },
    /** Entries of NVS that something else has taken; and what fails: 0 nothing, 1 writes, 2 commits. */
    nvs: ({ reserved = 0, failing = 0 }) => disturb(reserved, failing),
    erase: (_, firmware) => firmware.factoryReset(),
    probes: (_, firmware) => Object.keys(probesIn(firmware)),
  },
  true,
);
