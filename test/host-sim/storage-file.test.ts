import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { StorageFile } from "../../host-sim/storage";

it("a directory is rejected as storage file with a clear error", () => {
  expect(() => new StorageFile(tmpdir()).load()).toThrow(`storage file ${tmpdir()} is a directory: name a file`);
});

it("a file that cannot be written is named at the start, not with the first setting that is lost", () => {
  const folder = mkdtempSync(join(tmpdir(), "storage-"));
  const nowhere = join(folder, "missing/settings.json");
  expect(() => new StorageFile(nowhere).load()).toThrow(`storage file ${nowhere} cannot be written: ENOENT`);
  writeFileSync(join(folder, "file"), "");
  const below = join(folder, "file/settings.json");
  expect(() => new StorageFile(below).load()).toThrow(`storage file ${below} cannot be written: ENOTDIR`);
});
