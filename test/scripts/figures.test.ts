/** docs/figures.md as the benches write and the tests read it, and what takes as long on every machine. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FIGURES, figureIn, withSection, type Table } from "../bench/figures";
import { pollTime } from "../bench/polls";

/** What a run may differ by: changes of the firmware move some by less. */
const NEAR = 0.1;
const HEAD = "# Figures\n\nWritten.\n";
const tableOf = (units: number): Table => ({ title: "Polls", head: ["what", "units"], rows: [["one", units]] });

it("a section is written in place of the one before, and read again", () => {
  const one = withSection(HEAD, "npm run a", "At 1.", [tableOf(1_234)]);
  const both = withSection(one, "npm run b", "At 1.", [{ ...tableOf(5), title: "Others" }]);
  expect(both).toBe(
    `${HEAD}\n## \`npm run a\`\n\nAt 1.\n\n### Polls\n\n| what | units |\n| --- | ---: |\n| one | 1,234 |\n\n## \`npm run b\`\n\nAt 1.\n\n### Others\n\n| what | units |\n| --- | ---: |\n| one | 5 |\n`,
  );
  const renewed = withSection(both, "npm run a", "At 2.", [tableOf(1_235)]);
  expect(renewed).toBe(both.replace("At 1.", "At 2.").replace("1,234", "1,235"));
  expect(figureIn(renewed, "Polls", "one", "units")).toBe(1_235);
  // Nothing of another table.
  expect(() =>
    figureIn(withSection(both, "npm run a", "", [{ ...tableOf(1), rows: [] }]), "Polls", "one", "units"),
  ).toThrow('docs/figures.md has no units of "one" in "Polls"');
});

it.each(["registers", "frames"] as const)(
  "a poll by %s takes as long as the table has it, within a tenth",
  async (readMode) => {
    const page = readFileSync(FIGURES, "utf8");
    const { took, wire, requests } = await pollTime(readMode);
    const figure = (column: string): number =>
      figureIn(page, "Time of a telemetry poll (virtual time, 115,200 baud, 75 ms gap)", readMode, column);
    for (const [column, value] of [
      ["requests", requests],
      ["took ms", took],
      ["bytes on the wire ms", wire],
    ] as const) {
      const written = figure(column);
      expect(Math.abs(value - written), column).toBeLessThan(written * NEAR);
    }
  },
);
