/** What a part of the tests consists of, so that `npm test -- PART` asks only for what PART needs. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Folders with files that run programs for tests. */
const READ = /^(test|examples|host-sim)\//;
const QUOTED = /["'`]([^"'`\s]+)["'`]/g;
const ENDINGS = ["", ".ts", ".mts", ".mjs", ".tsx"];

const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** The file that a quoted text names: one beside `from`, or a path in the repository. */
function named(root, from, text) {
  const base = text.startsWith(".") ? join(dirname(from), text) : text;
  const found = ENDINGS.map((ending) => base + ending).find((path) => READ.test(path) && isFile(join(root, path)));
  return found && relative(root, join(root, found)).replaceAll("\\", "/");
}

/**
 * Texts of the tests that vitest runs for these parameters, of all that they import and of the files they name.
 * @param {string} root
 * @param {readonly string[]} parameters parts of paths, then options of vitest
 * @returns {string[] | undefined} undefined: all tests, or unknown
 */
export function textsOf(root, parameters) {
  const first = parameters.findIndex((word) => word.startsWith("-"));
  const parts = (first < 0 ? parameters : parameters.slice(0, first)).map((part) =>
    part.replace(/^\.\//, "").replace(/:\d+$/, ""),
  );
  if (!parts.length) return undefined;
  const tests = readdirSync(join(root, "test"), { recursive: true })
    .map((path) => `test/${path.replaceAll("\\", "/")}`)
    // Those of test/xs-linux are not part of npm test.
    .filter((path) => path.endsWith(".test.ts") && !path.startsWith("test/xs-linux/"));
  const chosen = tests.filter((path) => parts.some((part) => path.includes(part) || join(root, path).startsWith(part)));
  if (!chosen.length) return undefined;
  const texts = new Map();
  for (const waiting = [...chosen]; waiting.length;) {
    const path = waiting.pop() ?? "";
    if (texts.has(path)) continue;
    const text = readFileSync(join(root, path), "utf8");
    texts.set(path, text);
    for (const [, quoted] of text.matchAll(QUOTED)) {
      const next = named(root, path, quoted);
      if (next) waiting.push(next);
    }
  }
  return [...texts.values()];
}
