/** What has begun today, at the limits of the list. */
import { expect, it } from "vitest";
import { MOST_TODAY } from "../../src/events/limits";
import { add, countOf, turn } from "../../src/events/today";
import { TODAY_ROWS } from "../../src/runtime/retained";

const KEYS = Array.from({ length: TODAY_ROWS }, (_, at) => at + 1);

it("has each of as many as there is room for, and of a further one it knows nothing", () => {
  const today = new Uint16Array(1 + 2 * TODAY_ROWS);
  // Each as often as its key says: counts are no keys.
  for (const key of KEYS) for (let time = 0; time < key; time++) add(today, key);
  expect(KEYS.map((key) => countOf(today, key))).toEqual(KEYS);
  const further = TODAY_ROWS + 1;
  expect(countOf(today, further)).toBeUndefined();
  add(today, further);
  expect(countOf(today, further)).toBeUndefined();
  expect(KEYS.map((key) => countOf(today, key))).toEqual(KEYS);
  turn(today, 20_000);
  expect(countOf(today, 1)).toBe(1);
  turn(today, 20_001);
  expect(countOf(today, 1)).toBe(0);
});

it("counts up to a limit", () => {
  const today = new Uint16Array(1 + 2 * TODAY_ROWS);
  for (let time = 0; time < MOST_TODAY; time++) add(today, 7);
  expect(countOf(today, 7)).toBe(MOST_TODAY);
  add(today, 7);
  expect(countOf(today, 7)).toBe(MOST_TODAY);
});
