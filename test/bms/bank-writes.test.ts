/** 10,000 of them: test/soak. */
import { expect, it } from "vitest";
import { writeToBank } from "../support/bms/bank-writes";

it("no write is confirmed at the wrong pack or falsely, and each ends, under faults and with packs swapped", () => {
  const { problems, ...counts } = writeToBank(1, 200);
  expect(problems).toEqual([]);
  // Each of the ways has been gone.
  expect(counts.confirmed).toBeGreaterThan(20);
  expect(counts.refused).toBeGreaterThan(5);
  expect(counts.unconfirmed).toBeGreaterThan(20);
});
