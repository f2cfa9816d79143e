/** Goals of a bank on a line that loses replies; measured for more packs and rates by `npm run soak -- --part bank` (docs/performance.md). */
import { expect, it } from "vitest";
import { lossyBank } from "../support/bms/lossy-bank";
import { isLong } from "../support/property";

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

it.each([
  [4, 20, 99.5, 99, 58],
  [15, 20, 99.5, 99, 58],
  [8, 33, 98, 80, 54],
  [15, 33, 98, 60, 54],
  [4, 40, 95, 0, 0],
])(
  "%i packs, of whose replies %i per cent are lost: %f per cent of the time online, %f read, and %i of 60 writes confirmed",
  (packs, lost, online, loaded, least) => {
    const runs = (isLong ? [1, 2] : [1]).map((seed) => lossyBank({ packs, lost, seed, minutes: 10 }));
    expect(runs.flatMap(({ problems }) => problems)).toEqual([]);
    expect(mean(runs.map(({ confirmed }) => confirmed))).toBeGreaterThanOrEqual(least);
    expect(mean(runs.map((run) => run.online))).toBeGreaterThanOrEqual(online);
    expect(mean(runs.map((run) => run.loaded))).toBeGreaterThanOrEqual(loaded);
    if (lost > 33) return;
    expect(Math.max(...runs.map(({ started }) => started))).toBeLessThanOrEqual(60_000);
    expect(mean(runs.map(({ missed }) => missed))).toBeLessThanOrEqual(2);
  },
);
