/** Goals of a bank on a line that loses replies; measured for more packs and rates by `npm run soak -- --part bank` (docs/performance.md). */
import { expect, it } from "vitest";
import { lossyBank } from "../support/bms/lossy-bank";
import { isLong } from "../support/property";

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

it.each([
  [4, 20, 58],
  [15, 20, 58],
  [8, 33, 55],
])(
  "%i packs, of whose replies %i per cent are lost: online and read, and %i of 60 writes are confirmed",
  (packs, lost, least) => {
    const runs = (isLong ? [1, 2] : [1]).map((seed) => lossyBank({ packs, lost, seed, minutes: 10 }));
    expect(runs.flatMap(({ problems }) => problems)).toEqual([]);
    expect(mean(runs.map(({ confirmed }) => confirmed))).toBeGreaterThanOrEqual(least);
    if (lost > 20) return;
    expect(mean(runs.map(({ online }) => online))).toBeGreaterThanOrEqual(99.5);
    expect(mean(runs.map(({ loaded }) => loaded))).toBeGreaterThanOrEqual(99);
  },
);
