import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const listed = execFileSync(
  "git",
  ["ls-files", "-co", "--exclude-standard", "--", "*.ts", "*.tsx", "*.mts", "*.mjs", "*.js"],
  { encoding: "utf8" },
);
const sources = new Map(
  listed
    .trim()
    .split("\n")
    .map((path) => [path, readFileSync(path, "utf8")]),
);
const words = [...sources].map(([path, text]) => ({ path, names: new Set(text.match(/[\w$]+/g)) }));

const exportsOf = (text: string): string[] =>
  [...text.matchAll(/^export (?:async |abstract )?(?:const|let|function\*?|class) ([\w$]+)/gm)].map(
    ([, name]) => name!,
  );

/** Exports for the docs, too. */
const DOCUMENTED = /\/limits\.ts$|^modules\/jk-bms\/field-table\.ts$/;

/** Values exported by a file that no other file names. */
const dead = (path: string, text: string): string[] =>
  exportsOf(text).filter((name) => !words.some((other) => other.path !== path && other.names.has(name)));

it("there are no unused exports: they would be dead, or their file's own", () => {
  const found = [...sources].filter(
    ([path]) => /^(?:src|modules|host-sim|web|test)\/.*\.tsx?$/.test(path) && !DOCUMENTED.test(path),
  );
  expect(found.length).toBeGreaterThan(500);
  expect(found.flatMap(([path, text]) => dead(path, text).map((name) => `${path}: ${name}`))).toEqual([]);
});

it("an export that only its own file uses is found", () => {
  const unheard = ["un", "heard"].join("_");
  const text = `export const ${unheard} = 1;\nexport function expect() {}\n${unheard}++;`;
  expect(dead("new.ts", text)).toEqual([unheard]);
});
