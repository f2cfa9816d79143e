/** docs/compatibility.md is what the captures say. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { capture, captureNames } from "../support/bms/captures";

it("is up to date: node scripts/compatibility.mjs writes it", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/compatibility.mjs", "--check"], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
});

it("has the model and firmware of every capture of a device information", () => {
  const page = readFileSync("docs/compatibility.md", "utf8");
  const told = captureNames.map(capture).filter((bytes) => bytes.length === 300 && bytes[4] === 3);
  expect(told.length).toBeGreaterThan(4);
  for (const bytes of told) {
    const text = (at: number, length: number): string =>
      String.fromCharCode(...bytes.subarray(at, at + length)).replace(/\0[^]*/, "");
    const row = new RegExp(`\\| ${text(6, 15)} +\\| ${text(22, 8)} +\\| ${text(30, 8)} +\\|`);
    expect(page).toMatch(row);
  }
});
