import { probesOf } from "firmware";

const made = Symbol("probes");

/** The firmware's probes: made, and taking memory, once the first is asked. */
const probesIn = (firmware) => (firmware[made] ??= probesOf(firmware));

export const MORE_ORDERS = Object.freeze(
  {
    probe: ({ name, parameters }, firmware) => probesIn(firmware)[name](...parameters),
    probes: (_, firmware) => Object.keys(probesIn(firmware)),
  },
  true,
);
