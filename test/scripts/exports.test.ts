import { expect, it } from "vitest";
import { deadExports } from "../../scripts/exports.mjs";

const SOURCE = `
export const used = 1, mine = 2;
export const { deep } = { deep: 3 };
export function tested(): void {}
export function inside(): void {}
export type Named = number;
export interface Unnamed {}
export default class Loaded { readonly of: Named = inside(); }
const listed = 4;
export { listed };
`;

const found = (files: Readonly<Record<string, string>>, standIns: Readonly<Record<string, string>> = {}): string[] =>
  deadExports(new Map(Object.entries(files)), {
    isProduct: (path) => /^(?:src|modules)\//.test(path),
    isTest: (path) => path.startsWith("test/"),
    standIns: new Map(Object.entries(standIns)),
  }).map(({ path, name, why }) => `${path}: ${name}: ${why}`);

it("finds values that nothing imports, types that nothing names, and what only tests use", () => {
  expect(
    found({
      "src/one.ts": SOURCE,
      "src/two.ts": 'import { used } from "./one"; use(used);',
      "test/one.test.ts": 'import { inside, tested } from "../src/one";',
    }),
  ).toEqual([
    "src/one.ts: mine: nothing imports it",
    "src/one.ts: deep: nothing imports it",
    "src/one.ts: tested: only tests use it",
    "src/one.ts: Unnamed: nothing imports it",
    "src/one.ts: listed: nothing imports it",
  ]);
});

it.each([
  ["an import", 'import { a as b } from "./a";'],
  ["an import of all", 'import * as all from "./a";'],
  ["an import of its type", 'import type { a } from "./a.js";'],
  ["the type of an import", 'type A = import("./a").a;'],
  ["a late import", 'await import("./a.ts");'],
  ["an export", 'export { a } from "./a";'],
  ["an export of all", 'export * from "./a";'],
  ["a path in a script", 'await bundle("modules/x/a.ts");'],
])("knows %s as a use", (_, other) => {
  const files = { "modules/x/a.ts": "export const a = 1;" };
  expect(found({ ...files, "modules/x/b.ts": other })).toEqual([]);
  expect(found({ ...files, "modules/x/b.ts": "" })).toEqual(["modules/x/a.ts: a: nothing imports it"]);
});

it("knows a module by its name, and what stands in for another", () => {
  const files = {
    "modules/x/a.ts": "export const a = 1;",
    "modules/x/without-a.ts": "export const a = 0, b = 0;",
    "src/user.ts": 'import { a } from "x/a";',
  };
  expect(found(files, { "modules/x/without-a.ts": "modules/x/a.ts" })).toEqual([
    "modules/x/without-a.ts: b: nothing imports it",
  ]);
});
