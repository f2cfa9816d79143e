/** An object of the SDK's build is not used with another header or flag than it was compiled with. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { removeStaleObjects } from "../../scripts/stale-objects.mjs";

const OBJECTS = ["lin/release/xs-linux/life.c.o", "esp32/esp32c3/release/main/life.c.o"];
let root: string;
let output: string;

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}
const compile = (): void => OBJECTS.forEach((name) => write(`build/moddable/tmp/${name}`, "object"));
const left = (): string[] => OBJECTS.filter((name) => existsSync(join(output, "tmp", name)));
const remove = (): number => removeStaleObjects(output, root);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "objects-"));
  output = join(root, "build/moddable");
  write("manifest.json", "{}");
  write("boards/esp32/retained.h", "#define KEPT_BYTES 1");
  write("boards/esp32/manifest.json", '{"build":{}}');
  write("boards/esp32/life.c", "");
});
afterEach(() => rmSync(root, { recursive: true }));

it("a fresh clone has none, and what was built by the same headers and flags stays", () => {
  expect(remove()).toBe(0);
  compile();
  expect(remove()).toBe(0);
  // make sees that by itself.
  write("boards/esp32/life.c", "// changed");
  expect([remove(), left()]).toEqual([0, OBJECTS]);
});

it.each([
  ["boards/esp32/retained.h", "#define KEPT_BYTES 2"],
  ["boards/esp32/manifest.json", '{"build":{"C_FLAGS_SUBPLATFORM":"-D"}}'],
  ["manifest.json", '{"defines":{}}'],
  ["linux/life.h", "// new"],
  ["modules/tls-socket/tls-problems.h", "// new"],
])("all go once %s has changed", (name, text) => {
  remove();
  compile();
  write(name, text);
  expect([remove(), left()]).toEqual([OBJECTS.length, []]);
  compile();
  expect([remove(), left()]).toEqual([0, OBJECTS]);
});

it("those of a build before there was a note of it go", () => {
  compile();
  expect([remove(), left()]).toEqual([OBJECTS.length, []]);
});
