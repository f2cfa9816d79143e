import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { idfVersion, otherIdf, wantedIdf } from "../../scripts/idf-version.mjs";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "idf-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** As the file is in ESP-IDF. */
function install(...[major, minor, patch]: [number, number, number]): void {
  mkdirSync(join(folder, "tools/cmake"), { recursive: true });
  writeFileSync(
    join(folder, "tools/cmake/version.cmake"),
    `set(IDF_VERSION_MAJOR ${major})\nset(IDF_VERSION_MINOR ${minor})\nset(IDF_VERSION_PATCH ${patch})\n`,
  );
}

it.each([
  [[5, 1, 2], "v5.1.2"],
  [[6, 0, 0], "v6.0"],
  [[6, 0, 2], "v6.0.2"],
] satisfies [[number, number, number], string][])("the version of %j is %s", (parts, version) => {
  install(...parts);
  expect(idfVersion(folder)).toBe(version);
});

it("another than the one that the firmware is made for is named, and none", () => {
  expect(otherIdf(folder)).toBe("IDF_PATH has no ESP-IDF; the firmware is made for v6.0.2 (docs/building.md).");
  install(5, 1, 2);
  expect(otherIdf(folder)).toBe("IDF_PATH has ESP-IDF v5.1.2; the firmware is made for v6.0.2 (docs/building.md).");
  install(6, 0, 2);
  expect(otherIdf(folder)).toBeUndefined();
});

it("docs/building.md names the versions that releases are built with", () => {
  const versions = readFileSync("scripts/ci/versions", "utf8");
  const text = readFileSync("docs/building.md", "utf8");
  expect(wantedIdf()).toBe("v6.0.2");
  for (const [, value] of versions.matchAll(/^\w+=(.*)$/gm)) expect(text).toContain(value);
});
