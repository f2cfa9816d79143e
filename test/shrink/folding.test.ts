import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { foldConstants } from "../../scripts/shrink/folding.mjs";

describe("foldConstants", () => {
  it("preserves the names and lines of the sources", async () => {
    const before = await transform("const first = 1;\nexport const second = (third) => third + first;\n", {
      sourcefile: "source.ts",
      sourcemap: "external",
    });
    const { map } = await foldConstants(before.code, before.map);
    const { sources, names } = JSON.parse(map) as { sources: string[]; names: string[] };
    expect([sources, names.includes("third")]).toEqual([["source.ts"], true]);
  });
});
