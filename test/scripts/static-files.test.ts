import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileAt } from "../../scripts/static-files.mjs";

it("finds what is in the folder, and nothing beside it", () => {
  const place = mkdtempSync(join(tmpdir(), "static-"));
  const folder = join(place, "in");
  for (const path of [folder, join(folder, "deep"), join(place, "inside")]) mkdirSync(path);
  for (const path of ["in/a.js", "in/deep/index.html", "secret", "inside/secret"])
    writeFileSync(join(place, path), "x");
  expect(fileAt(folder, "/a.js")).toBe(join(folder, "a.js"));
  expect(fileAt(folder, "/deep/")).toBe(join(folder, "deep/index.html"));
  for (const path of [
    "/b.js",
    "/",
    "/../secret",
    "/..%2fsecret",
    "/%2e%2e/secret",
    "/..%2finside%2fsecret",
    "/%",
    "/a.js%00",
  ])
    expect(fileAt(folder, path), path).toBeUndefined();
});
