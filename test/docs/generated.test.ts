import { expect, it } from "vitest";
import { complete, completeJson } from "../../scripts/docs/generated.mjs";

it.each(["0 to NaN V", "up to undefined", "[object Object]", "Infinity s"])("refuses a text with %j", (line) => {
  expect(() => complete("docs/a.md", `# A\n${line}\n`)).toThrow(`docs/a.md:2 would be: ${line}`);
});

it("takes a text without", () => {
  expect(complete("docs/a.md", "# A\nUndefinedness, NaNny\n")).toBe("# A\nUndefinedness, NaNny\n");
});

it.each([
  [{ a: { max: NaN } }, "max would be NaN"],
  [{ min: -Infinity }, "min would be -Infinity"],
  [{ enum: ["a", undefined] }, "1 would be undefined"],
])("refuses a document in which JSON would write null: %j", (document, what) => {
  expect(() => completeJson("docs/a.yaml", document)).toThrow(`docs/a.yaml: ${what}`);
});

it("omits members without a value", () => {
  expect(completeJson("docs/a.yaml", { a: 1, b: undefined, c: null })).toBe('{"a":1,"c":null}');
});
