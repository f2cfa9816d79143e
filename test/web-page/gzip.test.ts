import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeEach, expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";
import { gzip } from "../../web/gzip.mjs";

const TEXT = readFileSync(`${root}web/app.css`, "utf8").slice(0, 4_000);
const OS = 9;
const folder = mkdtempSync(join(tmpdir(), "gzip-"));
const clear = (): void => rmSync(folder, { recursive: true, force: true });
beforeEach(clear);
afterAll(clear);

const onlyPath = (): string => {
  const names = readdirSync(folder);
  expect(names).toHaveLength(1);
  return join(folder, names[0] ?? "");
};

it("is smaller than zlib's best, and unpacks to the text", async () => {
  const compressed = await gzip(TEXT, folder);
  expect(gunzipSync(compressed).toString()).toBe(TEXT);
  expect(compressed.length).toBeLessThan(gzipSync(TEXT, { level: 9 }).length * 0.98);
  expect(compressed[OS]).toBe(0xff);
});

it("leaves the handlers of the process alone", () => {
  // In a process of its own: another test may have loaded what adds them.
  const script = `import { gzip } from "./web/gzip.mjs";
    const before = process.eventNames().length;
    await gzip("a text", ${JSON.stringify(folder)});
    console.log(process.eventNames().length - before);`;
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: root });
  expect(said.toString()).toBe("0\n");
});

it("takes a kept result", async () => {
  await gzip(TEXT, folder);
  const mark = gzipSync(TEXT, { level: 1 });
  writeFileSync(onlyPath(), mark);
  expect((await gzip(TEXT, folder)).equals(mark)).toBe(true);
});

it.each([
  ["truncated", (whole: Buffer) => whole.subarray(0, -9)],
  ["another's", () => gzipSync("another text")],
  ["empty", () => Buffer.alloc(0)],
])("replaces a kept result that is %s", async (_, damage) => {
  const whole = await gzip(TEXT, folder);
  writeFileSync(onlyPath(), damage(whole));
  expect((await gzip(TEXT, folder)).equals(whole)).toBe(true);
  expect(readFileSync(onlyPath()).equals(whole)).toBe(true);
});

it("keeps the newest 200 results", async () => {
  await gzip("first", folder);
  const first = onlyPath();
  for (let index = 0; index < 199; index++) writeFileSync(join(folder, `later ${index}`), "");
  utimesSync(first, 1, 1);
  await gzip("last", folder);
  expect(readdirSync(folder)).toHaveLength(200);
  expect(statSync(first, { throwIfNoEntry: false })).toBe(undefined);
});
