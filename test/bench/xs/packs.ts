/** What further packs take of memory on XS, with all interfaces on. */
import type { Memory } from "../../support/xs/xs-gauge";
import { withInterfaces } from "../interfaces";
import { settle, XsSystem } from "./system";

/** Live with so many packs, all of them read in full. */
export const packsMemory = (packs: number): Promise<Memory> =>
  withInterfaces(async (settings) => {
    const xs = await XsSystem.start({ packs, settings });
    await settle();
    xs.runFor(1_000);
    const { memory } = xs.gauge;
    const { json } = await xs.system.get("/api/packs");
    const { bank } = (json as { data: { bank: { packs: number; complete: boolean } } }).data;
    xs.stop();
    if (bank.packs !== packs || !bank.complete) throw new Error(`not all of ${packs} packs were read`);
    return memory;
  });
