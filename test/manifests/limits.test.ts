import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** All sources that may use a limit: of the firmware, the page, the simulator, the tests, and the boards' C. */
const sources = ["src", "modules", "web", "host-sim", "test", "boards"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(ts|tsx|mjs|js|c|h)$/.test(path))
    .map((path) => join(folder, path)),
);

const LIMITS = /^(src|modules)\/.*\blimits\.ts$/;
const words = (path: string): readonly string[] => readFileSync(path, "utf8").match(/\w+/g) ?? [];

it("no limit is left that nothing obeys", () => {
  const limits = sources.filter((path) => LIMITS.test(path));
  expect(limits.length).toBeGreaterThan(20);
  const used = new Set(sources.filter((path) => !LIMITS.test(path)).flatMap(words));
  for (const path of limits) {
    const own = words(path);
    for (const [, name] of readFileSync(path, "utf8").matchAll(/^export const (\w+)/gm))
      expect(used.has(name!) || own.filter((word) => word === name).length > 1, `${path}: ${name}`).toBe(true);
  }
});
