import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { afterAll, beforeEach, expect, it } from "vitest";
import { shortened } from "../../web/minify.mjs";

const STATEMENTS = "const first = page.files; function second(long) { return long + 1; } first.result = second(1);";
const folder = mkdtempSync(join(tmpdir(), "terser-"));
const clear = (): void => rmSync(folder, { recursive: true, force: true });
beforeEach(clear);
afterAll(clear);

const onlyPath = (): string => {
  const names = readdirSync(folder);
  expect(names).toHaveLength(1);
  return join(folder, names[0] ?? "");
};

it("shortens statements that do the same", async () => {
  const code = await shortened(STATEMENTS, folder);
  expect(code.length).toBeLessThan(STATEMENTS.length / 2);
  const page = { files: { result: 0 } };
  runInNewContext(code, { page });
  expect(page.files.result).toBe(2);
});

it("takes a kept result, of these statements only", async () => {
  await shortened(STATEMENTS, folder);
  writeFileSync(onlyPath(), gzipSync("kept()"));
  expect(await shortened(STATEMENTS, folder)).toBe("kept()");
  expect(await shortened(`${STATEMENTS}first.more = 1;`, folder)).toContain("more");
});

it.each([
  ["truncated", (whole: Buffer) => whole.subarray(0, -9)],
  ["another format's", () => Buffer.from("page.files.result=2")],
  ["empty", () => Buffer.alloc(0)],
  ["of nothing", () => gzipSync("")],
])("replaces a kept result that is %s", async (_, damage) => {
  const code = await shortened(STATEMENTS, folder);
  const whole = readFileSync(onlyPath());
  writeFileSync(onlyPath(), damage(whole));
  expect(await shortened(STATEMENTS, folder)).toBe(code);
  expect(readFileSync(onlyPath()).equals(whole)).toBe(true);
});
