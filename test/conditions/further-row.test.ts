/** Rows behind those of the table, up to the last that there may be: every interface has them, also in the second word (src/conditions/set.ts). */
import { describe, expect, it, vi } from "vitest";
import { MOST_DEVICE_ROWS, MOST_ROWS } from "../../src/conditions/limits";
import { codeOf, CONCERNS, DEVICE_CONDITIONS, holdOf } from "../../src/conditions/table";
import { en } from "../../web/texts/en";
import { tableWith } from "../support/conditions/longer-table";
import { conditionMatrix, type Row } from "../suites/condition-matrix";

/** Longer than a word of 16 bits has seconds; and longer than anybody may be told before. */
const LONG = 86_400;
const SLOW = 700;
const TOO_MANY = /table\.ts.*limits\.ts/;

vi.mock(import("../../src/conditions/table"), async () => {
  const { tableWith: withRows } = await import("../support/conditions/longer-table");
  const { CONCERNS: known } = await withRows([]);
  const holds: Record<number, number> = { [MOST_ROWS - 2]: 700, [MOST_ROWS - 3]: 86_400 };
  const rows = Array.from({ length: MOST_ROWS - known.length }, (_, at) => known.length + at);
  return withRows(rows.map((row) => `further-${row} warning telemetry once ${holds[row] ?? 2} message`));
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
  const rows = CONCERNS.slice(FIRST).map((code) => `${code} notice telemetry once 2 event`);
  await expect(tableWith([...rows, "one-too-many notice telemetry once 2 event"])).rejects.toThrow(TOO_MANY);
  const ofDevice = Array.from(
    { length: MOST_DEVICE_ROWS - DEVICE_CONDITIONS.length },
    (_, at) => `more-${at} notice nothing once 2 event`,
  );
  expect((await tableWith([], ofDevice)).DEVICE_CONDITIONS).toHaveLength(MOST_DEVICE_ROWS);
  await expect(tableWith([], [...ofDevice, "one-too-many notice nothing once 2 event"])).rejects.toThrow(TOO_MANY);
});

conditionMatrix(further);
describe("what has to last for long is told by nobody before", () => conditionMatrix(slow));
