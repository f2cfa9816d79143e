/** 10,000 of them: `npm run soak -- --part bank`. */
import { expect, it } from "vitest";
import { writeToBank } from "../support/bms/bank-writes";
import { runs } from "../support/property";

const WRITES = runs(100);

it("no write is confirmed at the wrong pack or falsely, each ends as is said, under faults and with packs swapped", () => {
  const { problems, endings, ...counts } = writeToBank(1, WRITES);
  expect(problems).toEqual([]);
  // Each of the ways has been gone.
  expect(counts.confirmed).toBeGreaterThan(20);
  expect(counts.refused).toBeGreaterThan(5);
  expect(endings).toMatchObject({
    "not-sent-other": expect.any(Number) as number,
    exchanged: expect.any(Number) as number,
  });
});
