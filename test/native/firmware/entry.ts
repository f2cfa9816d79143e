/** The firmware with the tests' probes, and what worker.c and gateway.c have for the test. */
import config from "mc/config";
import { boot } from "../../../host-sim/xs/device/boot";
import main from "../../../src/main";
import { probesOf } from "../../support/system/probes";

declare const native: (name: string) => (...parameters: number[]) => unknown;
declare const mostMessages: () => number;
declare const failAllocations: (after: number) => void;

/** `pins.allocations`: the start's C gets so many. */
function start(): ReturnType<typeof main> {
  const { allocations } = config["pins"] as { readonly allocations?: number };
  if (allocations !== undefined) failAllocations(allocations);
  return main();
}

boot(start, (firmware) => ({
  ...(firmware && probesOf(firmware)),
  hostPort: native("xs_gateway_port"),
  forward: native("xs_gateway_forward"),
  storm: native("xs_gateway_storm"),
  mostMessages,
  failAllocations,
}));
