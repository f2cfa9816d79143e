import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleDevice } from "../../scripts/device-bundle.mjs";
import { refuse } from "../../scripts/shrink/refused.mjs";

describe("the bundle of the device", () => {
  it.each([
    ["arguments", "const f = function () { return arguments.length; };", "links the engine's part"],
    ["eval", 'const f = () => eval("1");', "runs a text"],
    ["a function from a text", 'const f = () => new Function("1");', "runs a text"],
    ["a regular expression", "const f = (text) => /a/.test(text);", "without regular expressions"],
    ["a method that needs one", 'const f = (text) => text.match("a");', "without regular expressions"],
    ["a built-in that the manifest strips", "const f = (list) => Iterator.from(list);", "strip in manifest.json"],
    ["new of what has become an arrow function", "const F = () => 1, g = () => new F();", "arrow function"],
  ])("is refused with %s", (_, code, why) => {
    expect(() => refuse(`// src/main.ts\nconst one = 1;\n// src/web/page.ts\n${code}\n`)).toThrow(
      new RegExp(`^src/web/page\\.ts: .*${why}.*scripts/shrink/README\\.md`),
    );
  });

  it("may have members of these names, texts, and classes that new makes", () => {
    const code =
      "const C = class { eval() { return this.arguments; } }, o = { RegExp: 1, Iterator: 2 };\n" +
      'export const f = () => [new C().eval(), o.RegExp, o.Iterator, "arguments", "a/b/c", 4 / 2 / 1];\n';
    expect(() => refuse(code)).not.toThrow();
  });

  it("is refused when it is made: esbuild writes `arguments` where no source has it", async () => {
    // Where the compiler finds the modules of the firmware.
    const folder = mkdtempSync(join(process.cwd(), "build/refused-"));
    const firmware = join(folder, "firmware.ts");
    writeFileSync(firmware, "export class Firmware extends Array<number> { readonly more: number[] = []; }\n");
    try {
      const why = /firmware\.ts: arguments: .*write its constructor/;
      await expect(bundleDevice({ firmware })).rejects.toThrow(why);
      await expect(bundleDevice({ firmware, passes: [] })).rejects.toThrow(why);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
