/** What the rings of the history cost on XS: a record of each kind, erasing ahead, a query, a start. The flash's own time is not in it. */
import { XsSystem } from "./system";

/** A query of the API. */
export const ROWS = 500;
/** Less than a sector has, so that none is erased. */
const RECORDS = 40;
const RINGS = ["ten minutes", "hour", "day", "cells", "event"] as const;

export interface HistoryCost {
  readonly name: string;
  /** Of the meter, or as the name says. */
  readonly units: number;
}

export async function historyCosts(isWanted: (row: { name: string }) => boolean): Promise<HistoryCost[]> {
  if (!isWanted({ name: "history" })) return [];
  const xs = await XsSystem.start();
  const costs: HistoryCost[] = [];
  const unitsOf = (ask: string, ...parameters: number[]): number => {
    const before = xs.gauge.units;
    xs.machine.ask(ask, ...parameters);
    return xs.gauge.units - before;
  };
  const work = (): void => void xs.machine.ask("workHistory");
  const { memory } = xs.gauge;
  const empty = unitsOf("openHistory");
  const { slots, chunks } = xs.gauge.memory;
  work();
  RINGS.forEach((name, ring) => {
    // The first takes the sector that was erased ahead.
    xs.machine.ask("appendHistory", ring, 1);
    work();
    costs.push({ name: `history: append, ${name}`, units: unitsOf("appendHistory", ring, RECORDS) / RECORDS });
  });
  // On into the next sector, whose successor is to be erased.
  xs.machine.ask("appendHistory", 0, 185);
  const before = xs.gauge.units;
  const steps = xs.machine.ask("workHistory") as number;
  costs.push({ name: "history: a step of erasing ahead, mean", units: (xs.gauge.units - before) / steps });
  xs.machine.ask("appendHistory", 0, 2_000);
  work();
  const rows = unitsOf("readHistory", 0, ROWS);
  costs.push({ name: `history: read ${ROWS} records of ten minutes`, units: rows });
  costs.push({ name: "history: start, empty", units: empty });
  costs.push({ name: "history: start, with records", units: unitsOf("openHistory") });
  costs.push(...pageCosts(xs));
  costs.push({ name: "history: live slots of the rings", units: slots - memory.slots });
  costs.push({ name: "history: live bytes of chunks of the rings", units: chunks - memory.chunks });
  xs.stop();
  return costs;
}

/**
 * A query of all ten minutes, the first since the start: what a step of looking takes, and what it holds, as it begins, in the midst of it and when
 * all rows are found. Then queries that need not look at all.
 */
function pageCosts(xs: XsSystem): HistoryCost[] {
  const { slots, chunks } = xs.gauge.memory;
  const held = { slots: 0, chunks: 0 };
  const note = (): void => {
    const now = xs.gauge.memory;
    held.slots = Math.max(held.slots, now.slots - slots);
    held.chunks = Math.max(held.chunks, now.chunks - chunks);
  };
  xs.machine.ask("beginPage", 0);
  note();
  xs.machine.ask("lookForPage", 80);
  note();
  const before = xs.gauge.units;
  const steps = xs.machine.ask("lookForPage", 10_000) as number;
  const step = (xs.gauge.units - before) / steps;
  note();
  const costs = [
    { name: "history: a step of a query, mean", units: step },
    { name: "history: steps of the first query of all ten minutes", units: 80 + steps },
  ];
  for (const [what, last] of [["all ten minutes again", 0] as const, ["the last six hours", 36] as const]) {
    const start = xs.gauge.units;
    xs.machine.ask("beginPage", 0, last);
    const count = xs.machine.ask("lookForPage", 10_000) as number;
    costs.push({ name: `history: steps of a query of ${what}`, units: count });
    costs.push({ name: `history: a query of ${what}`, units: xs.gauge.units - start });
  }
  xs.machine.ask("endPage");
  costs.push({ name: "history: live slots of a query, at most", units: held.slots });
  costs.push({ name: "history: live bytes of chunks of a query, at most", units: held.chunks });
  return costs;
}
