import { join } from "node:path";
import { WT32_PINS } from "../../../host-sim/config";
import type { Stage, Whole, WholeOptions } from "../../suites/whole";
import { ENGINE } from "./engines";
import { System, type SystemOptions } from "./system";

/** The simulator, with the firmware on the vitest project's engine, as a stage for the shared suites. */
export async function startWhole(
  { bms = {}, bank, settings, echo, storage, paced = false }: WholeOptions = {},
  more: SystemOptions["board"] = {},
): Promise<Whole> {
  const system = await System.start({
    unpaced: !paced,
    board: {
      ...more,
      ...(bms.baud !== undefined && { baud: bms.baud }),
      ...(echo && { echo }),
      ...(storage !== undefined && { storage: join(storage, "nvs.json") }),
      ...(settings && { config: { settings } }),
    },
    bms,
    ...(bank && { bank }),
  });
  const { board, probes } = system;
  return {
    bms: system.bms,
    bank: system.bank,
    clock: board.clock,
    url: system.url,
    probes,
    console: system.console,
    run: (ms) => board.clock.runFor(ms),
    relayPin: () => board.pin(WT32_PINS.relay).level,
    overflows: () => board.uart.overflows,
    stop: () => system.stop(),
  };
}

/** The suites' stage; `more` are options of the board. */
export const simulated = (more?: SystemOptions["board"]): Stage => ({
  name: `simulated on ${ENGINE}`,
  start: (options) => startWhole(options, more),
});
