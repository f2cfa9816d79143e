/** docs/figures.md as the benches write and the tests read it. */
import { expect, it } from "vitest";
import { figureIn, withSection, type Table } from "../bench/figures";

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
