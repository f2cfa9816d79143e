import main from "../src/main";
import { faultHelp, parseFault } from "./bms/faults";
import { SimulatedBms } from "./bms/simulated-bms";
import type { Parts } from "./run";

/**
 * The default composition for the command line: the firmware's own main, and a simulated BMS with a port on each wire.
 */
export const parts: Parts = {
  async main(board, engine) {
    if (engine === "node") return main();
    const { runOnXs } = await import("./xs/run");
    return runOnXs(board);
  },
  bms({ wires: [first, ...others], faults, ...order }) {
    if (!first) throw new Error("the simulated BMS needs a wire");
    const bms = new SimulatedBms({ ...order, wire: first });
    for (const wire of others) bms.addPort(wire);
    for (const fault of faults) bms.faults.add(parseFault(fault));
    return bms;
  },
  faultHelp: faultHelp(),
};
