/** Packs that differ as packs do are never said to be behind, nor need a yes when they are switched on, and one with a bad lead is behind. */
import { expect, it } from "vitest";
import { passDays } from "../suites/bank-days";

it.each([
  [44, 0.08],
  [84, 0.08],
  [173, 0.08],
  [67, 0.25],
])("nothing is said of an ordinary day, seed %i, charges %f from their middle", (seed, uneven) => {
  const { told, below, rests, asked } = passDays(seed, 1, 0, uneven);
  expect([told, asked]).toEqual([0, 0]);
  expect(rests).toBeGreaterThan(0);
  expect(below).toBeGreaterThan(0);
});

it("a lead of 80 mΩ is found", () => {
  expect(passDays(1, 2, 0.08)).toMatchObject({ told: 0, found: true });
});
