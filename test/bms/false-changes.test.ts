/** The short form of `npm run soak -- --part bank --only "settings are read"`. */
import { expect, it } from "vitest";
import { changesOnBadLine } from "../suites/false-changes";

it.each([
  ["registers", 1],
  ["frames", 1],
  ["registers", 3],
  ["frames", 3],
] as const)(
  "by %s, of %i packs: no setting has changed in 5,000 reads of which one in five replies is lost or damaged",
  (readMode, count) => {
    const { told, differing, reads } = changesOnBadLine(5_000, count, 20, 1, readMode);
    expect(reads).toBeGreaterThanOrEqual(5_000);
    expect([told, differing]).toEqual([[], 0]);
  },
);
