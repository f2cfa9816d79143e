/**
 * What each pass makes of a file (test/fixtures/shrink). After an intended change `npx vitest run test/shrink -u` writes the outputs anew:
 * read their difference.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withArrows } from "../../scripts/shrink/arrows.mjs";
import { foldConstants } from "../../scripts/shrink/folding.mjs";
import { shortened } from "../../scripts/shrink/code/shorter.mjs";
import { pack } from "../../scripts/shrink/heap/pack.mjs";
import { sourceOf } from "../../scripts/shrink/indices.mjs";
import { reuseNames } from "../../scripts/shrink/names.mjs";
import { PASSES, passesIn, type Pass } from "../../scripts/shrink/passes.mjs";
import { shrinkBundle, shrinkSources } from "../../scripts/shrink/shrink.mjs";
import { OPCODES } from "../support/shrink/assembler";

const FOLDER = "test/fixtures/shrink";

/** A source as the compiler sees it: in a folder of its own. */
function source(text: string, passes: { privates: boolean; indices: boolean }): string {
  const folder = mkdtempSync(join(tmpdir(), "golden-"));
  const path = join(folder, "source.ts");
  writeFileSync(path, text);
  try {
    return sourceOf(path, path, passes);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const RUN: Readonly<Record<Pass, (text: string) => string | Promise<string>>> = {
  privates: (text) => source(text, { privates: true, indices: false }),
  indices: (text) => source(text, { privates: false, indices: true }),
  arrows: withArrows,
  folding: async (text) => `${(await foldConstants(text)).code}\n`,
  names: reuseNames,
  code: (text) => shortened(text, OPCODES),
  heap: pack,
};
const ENDING: Readonly<Record<Pass, string>> = {
  privates: "ts",
  indices: "ts",
  arrows: "js",
  folding: "js",
  names: "js",
  code: "c",
  heap: "c",
};

describe("each pass", () => {
  it.each(PASSES)("%s makes of its input what is recorded", async (pass) => {
    const input = readFileSync(`${FOLDER}/${pass}.in.${ENDING[pass]}.txt`, "utf8");
    const output = await RUN[pass](input);
    expect(output).not.toBe(input);
    await expect(output).toMatchFileSnapshot(join(process.cwd(), `${FOLDER}/${pass}.out.${ENDING[pass]}.txt`));
  });
});

describe("--plain", () => {
  const code = readFileSync(`${FOLDER}/names.in.js.txt`, "utf8");

  it("alone runs no pass: sources and bundle stay as they are", async () => {
    const { passes, rest } = passesIn(["esp32c3", "--plain", "ssid=mine"]);
    expect([passes, rest]).toEqual([[], ["esp32c3", "ssid=mine"]]);
    expect(shrinkSources("src/firmware.ts", passes)).toEqual([]);
    expect((await shrinkBundle({ code, map: "{}" }, passes)).code).toBe(code);
  });

  it.each(PASSES)("--plain=%s runs all others", (pass) => {
    expect(passesIn([`--plain=${pass}`]).passes).toEqual(PASSES.filter((one) => one !== pass));
  });

  it("takes several, none being all passes, and refuses what is none", () => {
    expect(passesIn(["--plain=names,heap"]).passes).toEqual(["privates", "indices", "arrows", "folding", "code"]);
    expect(passesIn(["plain"])).toEqual({ passes: PASSES, rest: ["plain"] });
    expect(() => passesIn(["--plain=name"])).toThrow("--plain=name: the passes are privates,");
    expect(() => passesIn(["--plain="])).toThrow("the passes are");
  });
});
