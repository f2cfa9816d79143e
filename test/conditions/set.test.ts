/** Sets of rows of both words, compared with those of the language. */
import { expect, it } from "vitest";
import { changed, common, has, hasAny, MOST_ROWS, NONE, nextRow, ofRow, plus, without } from "../../src/conditions/set";
import type { Conditions } from "../../src/conditions/set";
import { Random } from "../fuzz/random";

const ROWS = Array.from({ length: MOST_ROWS }, (_, row) => row);
const setOf = (rows: readonly number[]): Conditions => rows.reduce((set, row) => plus(set, ofRow(row)), NONE);

function rowsOf(set: Conditions): number[] {
  const rows: number[] = [];
  for (let row = nextRow(set, 0); row < MOST_ROWS; row = nextRow(set, row + 1)) rows.push(row);
  return rows;
}

it("each row is one of its own, and none of the others", () => {
  for (const row of ROWS) {
    const set = ofRow(row);
    expect(ROWS.filter((other) => has(set, other))).toEqual([row]);
    expect(rowsOf(set)).toEqual([row]);
    expect([plus(set, set), without(set, set), common(set, NONE)]).toEqual([set, NONE, NONE]);
  }
  expect(rowsOf(NONE)).toEqual([]);
});

it("of any two sets they are what they are of two lists", () => {
  const random = new Random(67);
  const some = (): number[] => ROWS.filter(() => random.once(1 + random.below(9)));
  for (let time = 0; time < 2_000; time++) {
    const [one, other] = [some(), some()];
    const [set, others] = [setOf(one), setOf(other)];
    const found = [plus, common, without, changed].map((operation) => rowsOf(operation(set, others)));
    expect([...found, hasAny(set, others)]).toEqual([
      ROWS.filter((row) => one.includes(row) || other.includes(row)),
      one.filter((row) => other.includes(row)),
      one.filter((row) => !other.includes(row)),
      ROWS.filter((row) => one.includes(row) !== other.includes(row)),
      one.some((row) => other.includes(row)),
    ]);
    // A value: made in whatever way, the same rows are the same set.
    expect(setOf([...one].reverse())).toBe(set);
  }
});
