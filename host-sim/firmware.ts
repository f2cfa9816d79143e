import main from "../src/main";
import { masterFaultHelp, parseMasterFault } from "./bms/bus-master";
import { FrameMaster, frameMasterHelp, parseFrameMaster } from "./bms/frame-master";
import { faultHelp, parseFault } from "./bms/faults";
import { bankOf } from "./bms/packs";
import { SimulatedBms } from "./bms/simulated-bms";
import type { Parts } from "./run";

/** The default composition for the command line: the firmware's own main, and simulated packs on its wire. */
export const parts: Parts = {
  async main(board, engine) {
    if (engine === "node") {
      const firmware = main();
      if (!firmware) throw new Error("the firmware could not be built");
      return firmware;
    }
    const { runOnXs } = await import("./xs/run");
    return runOnXs(board);
  },
  bms({ wire, faults, packs, twin, master, masterFaults, beside, address, ...order }) {
    const orders = faults.map(parseFault);
    const masterOrders = masterFaults.map(parseMasterFault);
    const addresses = packs === undefined ? [address ?? 1] : Array.from({ length: packs }, (_, index) => index + 1);
    for (const program of beside.map(parseFrameMaster)) new FrameMaster({ ...order, wire, addresses }, program);
    if (packs === undefined && twin === undefined && !master) {
      // At address 0 it would be a master: on its other port it answers.
      const bms = new SimulatedBms({ ...order, address, port: "uart1", wire: wire.bms });
      for (const fault of orders) bms.faults.add(fault);
      return bms;
    }
    const bank = bankOf({ ...order, wire, count: packs ?? 1, master, ...(twin !== undefined && { twins: [twin] }) });
    for (const bms of [...bank.packs, ...bank.twins, bank.master]) for (const fault of orders) bms?.faults.add(fault);
    for (const fault of masterOrders) bank.master?.master?.plan(fault);
    return bank;
  },
  faultHelp: faultHelp(),
  masterFaultHelp: masterFaultHelp(),
  frameMasterHelp: frameMasterHelp(),
};
