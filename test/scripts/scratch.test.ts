import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { newScratch } from "../support/scratch";

/** What Linux gives to no process: beyond its largest PID. */
const NO_PROCESS = 2 ** 22 + 1;

let memory: string;

beforeEach(() => {
  memory = mkdtempSync(join(tmpdir(), "memory-"));
  vi.stubEnv("TMPDIR", undefined);
});
afterEach(() => void vi.unstubAllEnvs());

/** Where a new folder is made, which is removed again. */
function placeOf(...options: Parameters<typeof newScratch>): string {
  const folder = newScratch(...options);
  rmSync(folder, { recursive: true });
  return dirname(folder);
}

it("is in memory if that has the room", () => {
  expect(placeOf(memory, 1)).toBe(memory);
  expect(readdirSync(memory)).toEqual([]);
});

it("is on disk if memory has no room or is missing", () => {
  const disk = tmpdir();
  expect(placeOf(memory, Number.MAX_SAFE_INTEGER)).toBe(disk);
  expect(placeOf(join(memory, "missing"), 1)).toBe(disk);
});

it("is where TMPDIR says", () => {
  const own = mkdtempSync(join(tmpdir(), "own-"));
  vi.stubEnv("TMPDIR", own);
  expect(placeOf(memory, 1)).toBe(own);
});

it("removes the folders of runs that were killed, and no others", () => {
  const own = `bms-test-${process.pid}-abc`;
  for (const name of [`bms-test-${NO_PROCESS}-abc`, own, "bms-test-", "else"]) mkdirSync(join(memory, name));
  placeOf(memory, 1);
  expect(readdirSync(memory).sort()).toEqual(["bms-test-", own, "else"]);
});
