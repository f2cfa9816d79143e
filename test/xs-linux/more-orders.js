import { probesOf } from "firmware";
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
    probes: (_, firmware) => Object.keys(probesIn(firmware)),
  },
  true,
);
