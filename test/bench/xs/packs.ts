/** What further packs take of memory on XS, with all interfaces on. */
import type { Memory } from "../../support/xs/xs-gauge";
import { withInterfaces } from "../interfaces";
import { peakUnder, type Load } from "./memory";
import { settle, XsSystem } from "./system";

export const BANKS = [1, 2, 4, 8, 15] as const;

const LOAD: Load = { clients: true, write: true, file: true, storm: true, browsers: true };
const ROUNDS = 60;
const EVERY = 7;

/** Live with so many packs: at rest, all of them online, and at most under all loads at once. */
export const packsMemory = (
  packs: number,
  rounds = ROUNDS,
): Promise<{ readonly rest: Memory; readonly peak: Memory }> =>
  withInterfaces(async (settings) => {
    const xs = await XsSystem.start({ packs, settings });
    await settle();
    xs.runFor(1_000);
    const rest = xs.gauge.memory;
    const json: unknown = (await xs.system.get("/api/packs")).json;
    const { bank } = (json as { data: { bank: { packs: number; complete: boolean } } }).data;
    if (bank.packs !== packs || !bank.complete) throw new Error(`not all of ${packs} packs were read`);
    const peak = await peakUnder(xs, LOAD, rounds, EVERY);
    xs.stop();
    return { rest, peak };
  });
