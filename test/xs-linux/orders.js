import { probesOf } from "probes";
import { ORDERS as OF_THE_PRODUCT } from "linux/orders";

const made = Symbol("probes");

/** The firmware's probes: made, and taking memory, once the first is asked. */
const probesIn = (firmware) => (firmware[made] ??= probesOf(firmware));

/** The Linux build's orders, and the tests' probes. */
export const ORDERS = Object.freeze(
  {
    ...OF_THE_PRODUCT,
    probe: ({ name, parameters }, firmware) => probesIn(firmware)[name](...parameters),
    probes: (_, firmware) => Object.keys(probesIn(firmware)),
  },
  true,
);
