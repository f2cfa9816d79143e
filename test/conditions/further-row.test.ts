/** Rows behind those of the table, up to the last that there may be: every interface has them, also in the second word (src/conditions/set.ts). */
import { describe, expect, it, vi } from "vitest";
import { MOST_ROWS } from "../../src/conditions/set";
import { codeOf, CONCERNS, holdOf } from "../../src/conditions/table";
import { en } from "../../web/texts/en";
import { tableWith } from "../support/conditions/longer-table";
import { conditionMatrix, type Row } from "../suites/condition-matrix";

/** Longer than a word of 16 bits has seconds; and longer than anybody may be told before. */
const LONG = 86_400;
const SLOW = 700;

vi.mock(import("../../src/conditions/table"), async () => {
  const { tableWith: withRows } = await import("../support/conditions/longer-table");
  const { CONCERNS: known } = await withRows([]);
  const holds: Record<number, number> = { [MOST_ROWS - 2]: 700, [MOST_ROWS - 3]: 86_400 };
  const rows = Array.from({ length: MOST_ROWS - known.length }, (_, at) => known.length + at);
  return withRows(rows.map((row) => `further-${row} warning telemetry ${holds[row] ?? 2} message`));
});

/** All that follow are in the second word. */
const FIRST = Math.max(
  CONCERNS.findIndex((code) => code.startsWith("further-")),
  32,
);
const rowsOf = (rows: readonly number[]): Row[] => rows.map((row) => ({ kind: "condition", name: codeOf(row) }));
const further = rowsOf([FIRST, FIRST + 1, MOST_ROWS - 1]);
const slow = rowsOf([MOST_ROWS - 2]);
for (const { name } of [...further, ...slow]) Object.assign(en.concerns, { [name]: `The condition ${name}.` });

it("there are as many rows as there may be, and how long one must last may be more than 65,535 s", () => {
  expect(CONCERNS).toHaveLength(MOST_ROWS);
  expect([FIRST, MOST_ROWS - 3, MOST_ROWS - 2].map(holdOf)).toEqual([2, LONG, SLOW]);
});

it("one row too many fails by name", async () => {
  const rows = CONCERNS.slice(FIRST).map((code) => `${code} notice telemetry 2 event`);
  await expect(tableWith([...rows, "one-too-many notice telemetry 2 event"])).rejects.toThrow(/table\.ts.*set\.ts/);
});

conditionMatrix(further);
describe("what has to last for long is told by nobody before", () => conditionMatrix(slow));
