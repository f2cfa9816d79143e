import { expect, it } from "vitest";
import { CounterMarks } from "../../src/history/counter-marks";
import { MARK_INTERVAL, MARKS } from "../../src/history/limits";

const square = (marks: number): number => marks * marks;

/** Marks up to `last`: the charge grows by the square of their number, the discharge ten times as fast. */
function marked(last: number): CounterMarks {
  const marks = new CounterMarks();
  for (let mark = 1; mark <= last; mark++) marks.note(mark * MARK_INTERVAL, square(mark), 10 * square(mark));
  return marks;
}

it("between two marks the counters went up evenly, and since the last one until now", () => {
  const marks = marked(5);
  const at = (mark: number, way: 0 | 1): number =>
    marks.at(mark * MARK_INTERVAL, way, 5.5 * MARK_INTERVAL, (way ? 10 : 1) * 45);
  expect([0, 1, 1.5, 4.25, 5, 5.25, 5.5].map((mark) => at(mark, 0))).toEqual([0, 1, 2.5, 18.25, 25, 35, 45]);
  expect([0, 1, 1.5, 4.25, 5, 5.25, 5.5].map((mark) => at(mark, 1))).toEqual([0, 10, 25, 182.5, 250, 350, 450]);
});

it("before the start nothing was counted", () => {
  expect(marked(5).at(-1, 0, 5.5 * MARK_INTERVAL, 45)).toBe(0);
});

it("of more marks than there is room for every other one is left", () => {
  const marks = marked(MARKS + 3);
  const at = (mark: number): number =>
    marks.at(mark * MARK_INTERVAL, 0, (MARKS + 4) * MARK_INTERVAL, square(MARKS + 4));
  for (const even of [2, 40, MARKS - 2, MARKS]) expect(at(even)).toBe(square(even));
  for (const odd of [1, 41, MARKS - 1]) expect(at(odd)).toBe((square(odd - 1) + square(odd + 1)) / 2);
});
