import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { StorageFile } from "../../host-sim/storage";

it("a directory is rejected as storage file with a clear error", () => {
  expect(() => new StorageFile(tmpdir()).load()).toThrow(`storage file ${tmpdir()} is a directory: name a file`);
});
