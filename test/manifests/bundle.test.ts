import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, normalize } from "node:path";
import { transform } from "esbuild";
import * as FIELDS from "jk-bms/field-table";
import { registerOf, type Field } from "jk-bms/fields";
import { beforeAll, describe, expect, it } from "vitest";
import { PLATFORM } from "../../host-sim/specifiers.mjs";
import { bundleDevice, foldConstants, forFlash } from "../../scripts/device-bundle.mjs";
import { reuseNames } from "../../scripts/device-names.mjs";
import { GIVEN, shortenPrivates } from "../../scripts/device-privates.mjs";
import { BOARDS, missingParts } from "../../scripts/moddable.mjs";
import { usedFields } from "../support/bms/used-fields";

const ETHERNET = ["embedded:network/interface/ethernet", "ethernet-driver"];

const imported = (code: string): string[] => [...code.matchAll(/^import .* from "(.*)";$/gm)].map(([, from]) => from!);

/** With everything; made once, since it takes seconds. */
let everything: ReturnType<typeof bundleDevice> | undefined;
const bundled = (): ReturnType<typeof bundleDevice> => (everything ??= bundleDevice());

describe("the bundle of the device", () => {
  let firmware: string;
  let main: string;
  let sources: string[];
  beforeAll(async () => {
    const files = await bundled();
    firmware = files.get("firmware.js")!;
    main = files.get("main.js")!;
    const map = JSON.parse(files.get("firmware.js.map")!) as { sources: string[] };
    sources = map.sources.map((source) => normalize(join("build/device", source)));
  });

  it("leaves only the platform's own modules to the platform", () => {
    const from = imported(firmware);
    expect(from).toContain("embedded:io/serial");
    expect(from.filter((specifier) => !(specifier in PLATFORM))).toEqual([]);
    expect(firmware).toMatch(/export\s*\{\s*[\w$]+ as Firmware\s*\};/);
  });

  it("has no mutable top-level state: it is in flash", () => {
    expect(firmware.match(/^(?:var|let) .*/gm)).toBeNull();
    expect(firmware).toMatch(/^const /m);
  });

  it("names no source map: xsc would attribute every line to the first source", () => {
    expect(firmware + main).not.toContain("sourceMappingURL");
  });

  it("contains every module of the firmware", () => {
    const folders = new Set(sources.map((source) => source.split("/").slice(0, 2).join("/")));
    // One with a manifest of its own has C, and is the SDK's to build.
    const all = readdirSync("modules").filter((name) => !existsSync(`modules/${name}/manifest.json`));
    expect(all.filter((name) => !folders.has(`modules/${name}`))).toEqual([]);
  });

  it("starts with a module that loads the firmware from flash", () => {
    expect(imported(main).sort()).toEqual(["firmware", "mc/config"]);
    expect(main).toMatch(/import \{ Firmware as (\w+) \} from "firmware";[^]*return new \1\(/);
  });

  it("has the fields of the BMS that the firmware uses, and no other", () => {
    const used = usedFields();
    expect(used).toContain("soc");
    for (const [name, field] of Object.entries<Field>(FIELDS))
      expect([name, new RegExp(`\\b[\\w$]+\\(${registerOf(field)}, ["\\d]`).test(firmware)]).toEqual([
        name,
        used.has(name),
      ]);
  });

  it("names nothing that would link the engine's tables of all letters (scripts/size/budget.mjs)", () => {
    expect(firmware).not.toMatch(/\bto(?:Locale)?(?:Lower|Upper)Case\b/);
  });

  it("has numbers in place of named constants", () => {
    expect(readFileSync("modules/http-server/response-frame.ts", "utf8")).toContain("bytes[start + 1] = LF;");
    expect(firmware).toMatch(/\[\w+\] = 13, \w+\[\w+ \+ 1\] = 10[,;]/);
  });
});

describe("what a board does not have", () => {
  it("is not in its bundle", async () => {
    const files = await bundleDevice({ without: ETHERNET });
    const whole = await bundled();
    for (const part of ETHERNET) {
      expect(imported(files.get("firmware.js")!)).not.toContain(part);
      expect(imported(whole.get("firmware.js")!)).toContain(part);
    }
  });

  it("follows from its manifest", () => {
    const without = Object.fromEntries(BOARDS.map((board) => [board, missingParts(board)]));
    expect(without).toEqual({
      wt32_eth01: [],
      nodemcu: ETHERNET,
      esp32c3: ETHERNET,
      esp32s3: ETHERNET,
    });
  });
});

describe("forFlash", () => {
  it("turns top-level variables into constants, but not those in functions", async () => {
    const code = "var a = 1, b = () => {\n  var c = 2;\n  return c;\n};\n";
    expect(await forFlash(code)).toBe(code.replace(/^var/, "const"));
  });

  it("turns top-level functions into arrow functions, unless they use `this`", async () => {
    const code = [
      "function one(a, b = {}) {\n  return a + (function() {\n    return 1;\n  })();\n}",
      "function two() {\n  return this.read();\n}",
      "export {\n  one,\n  two\n};\n",
    ];
    const [one, ...rest] = code;
    const arrow = one!.replace("function one(a, b = {}) {", "const one = (a, b = {}) => {") + ";";
    expect(await forFlash(code.join("\n"))).toBe([arrow, ...rest].join("\n"));
  });

  it.each([
    ["a value that comes later", "var a = 1;\nfunction f() {\n  a = 2;\n}\n"],
    ["a variable that is counted", "var a = 1;\nfunction f() {\n  a++;\n}\n"],
    ["no value", "var a;\n"],
  ])("refuses %s", async (_, code) => {
    await expect(forFlash(code)).rejects.toThrow(/const/);
  });
});

describe("foldConstants", () => {
  const folded = async (code: string): Promise<string> => (await foldConstants(code)).code.replace(/\s+/g, " ");

  it("inlines numbers and short strings, and folds expressions of them", async () => {
    const code = 'const t = [ f => f ], a = 8, b = 2 * a, c = "n", f = (x) => x + b + c; export { f, t };';
    expect(await folded(code)).toBe('const t = [ f => f ], f = x => x + 16 + "n"; export { f, t };');
  });

  it("keeps functions, tables and long strings at the top", async () => {
    const code = `const t = Object.freeze([ 1 ]), l = "${"long".repeat(20)}", g = x => t[x], f = y => y.map(g).concat(l, l, l); export { f };`;
    expect(await folded(code)).toBe(code);
  });

  it("preserves the names and lines of the sources", async () => {
    const before = await transform("const first = 1;\nexport const second = (third) => third + first;\n", {
      sourcefile: "source.ts",
      sourcemap: "external",
    });
    const { map } = await foldConstants(before.code, before.map);
    const { sources, names } = JSON.parse(map!) as { sources: string[]; names: string[] };
    expect([sources, names.includes("third")]).toEqual([["source.ts"], true]);
  });
});

describe("shortenPrivates", () => {
  it("gives private members of all classes the same names", () => {
    const code = [
      "class A { private first = 1; second = 2; private third() { return this.first + this.second; }",
      "  fourth() { const { first, second } = this; this.first = [() => this.third()]; return { first }; } }",
      "class B { private get other() { return 1; } private set other(x) {} read() { this.other = this.other; } }",
    ].join("\n");
    expect(shortenPrivates(code)).toBe(
      [
        "class A { private $0 = 1; second = 2; private $1() { return this.$0 + this.second; }",
        "  fourth() { const { $0: first, second } = this; this.$0 = [() => this.$1()]; return { first }; } }",
        "class B { private get $0() { return 1; } private set $0(x) {} read() { this.$0 = this.$0; } }",
      ].join("\n"),
    );
  });

  it.each([
    ["looked for in another object", "class A { private a = 1; b(c) { return c.a; } }"],
    ["taken out of another object", "class A { private a = 1; b({ a }) { return a; } }"],
    ["taken out of itself by an assignment", "class A { private a = 1; b(a) { ({ a } = this); } }"],
    ["used where this is another object", "class A { private a = 1; b() { return { c() { return this.a; } }; } }"],
    [
      "used in a function with a this of its own",
      "class A { private a = 1; b() { return function() { return this.a; }; } }",
    ],
    ["named by a text", 'class A { private a = 1; b() { return this["a"]; } }'],
    ["of a class that extends another, whose names may be the same", "class A extends B { private a = 1; }"],
    ["a parameter of its constructor", "class A { constructor(private a) { a++; } }"],
    ["seen by others", "class A { a = 1; protected b = this.a; }"],
  ])("leaves the name of a member that is %s", (_, code) => {
    expect(shortenPrivates(code)).toBe(code);
  });
});

describe("the names that private members are given", () => {
  it.each(["class A { private a = 1; $0 = 2; }", "const b = (c) => c.$12;", 'class A { b(c) { return c["$1"]; } }'])(
    "are refused in a source: %s",
    (code) => expect(() => shortenPrivates(code)).toThrow(/^\$\d+ is a name that private members are given/),
  );

  it("are none of the platform's: of its declarations, of the C of this repository, of the engine's objects", () => {
    const under = (folder: string, ...endings: string[]): string[] =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((path) => endings.some((ending) => path.endsWith(ending)))
        .map((path) => readFileSync(join(folder, path), "utf8"));
    const declared = [
      ...under("node_modules/@moddable/typings", ".d.ts"),
      ...under("types", ".d.ts"),
      ...under("boards", ".c", ".js"),
      ...under("modules", ".c", ".js"),
    ].flatMap((text) => text.match(/[\w$]+/g) ?? []);
    const builtIn = Object.getOwnPropertyNames(globalThis).flatMap((name) => {
      const value: unknown = Reflect.get(globalThis, name);
      const prototype: unknown = typeof value === "function" ? value.prototype : undefined;
      return [name, ...(prototype instanceof Object ? Object.getOwnPropertyNames(prototype) : [])];
    });
    const names = new Set([...declared, ...builtIn]);
    // The search works.
    expect(["onReadable", "setMilliseconds", "xsmcSetInteger"].filter((name) => !names.has(name))).toEqual([]);
    expect([...names].filter((name) => GIVEN.test(name))).toEqual([]);
  });
});

describe("reuseNames", () => {
  it("renames top-level names to existing property names", () => {
    const code = [
      'import q from "timer";',
      'import { restart, once as w } from "application";',
      "const a = { first: 1, a: 2 }, { b } = a, [c = 3] = [b];",
      "const d = (x) => ({ a, second: x.third ? b : c, d() { return d(this.fourth); } });",
      "class e extends d { fifth = a; get a() { return q.set(w, restart); } }",
      "export { e as Firmware, a };",
    ].join("\n");
    expect(reuseNames(code)).toBe(
      [
        'import once from "timer";',
        'import { restart as first, once as a } from "application";',
        "const second = { first: 1, a: 2 }, { b: third } = second, [d = 3] = [third];",
        "const fourth = (x) => ({ a: second, second: x.third ? third : d, d() { return fourth(this.fourth); } });",
        "class fifth extends fourth { fifth = second; get a() { return once.set(a, first); } }",
        "export { fifth as Firmware, second as a };",
      ].join("\n"),
    );
  });

  it("uses no name that is visible inside, and no reserved word", () => {
    const code = "const a = (x) => x.y + x.Object + x.delete, b = (y) => Object.keys(y, a);\n";
    expect(reuseNames(code)).toBe("const keys = (x) => x.y + x.Object + x.delete, $0 = (y) => Object.keys(y, keys);\n");
  });

  it("creates new names when there are none left", () => {
    expect(reuseNames("const a = 1, b = a + ((x) => x.$0 + $1);\n")).toBe(
      "const $0 = 1, $2 = $0 + ((x) => x.$0 + $1);\n",
    );
  });

  it.each(["const a = (a) => a;", "const a = () => {\n  let a;\n};", "const a = 1;\nfor (const a of []) ;"])(
    "refuses a name redeclared inside: %s",
    (code) => {
      expect(() => reuseNames(code)).toThrow("a is declared twice");
    },
  );
});
