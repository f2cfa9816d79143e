import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, normalize } from "node:path";
import * as FIELDS from "jk-bms/field-table";
import type { Field } from "jk-bms/fields";
import { beforeAll, describe, expect, it } from "vitest";
import { PLATFORM } from "../../host-sim/specifiers.mjs";
import { bundleDevice, withConstants } from "../../scripts/device-bundle.mjs";
import { BOARDS, missingModules } from "../../scripts/moddable.mjs";
import { withoutOf } from "../../scripts/size/budget.mjs";
import { builtBundle } from "../support/boards/built-bundle";
import { usedFields } from "../support/bms/used-fields";

const ETHERNET = ["embedded:network/interface/ethernet", "ethernet-driver"];

const imported = (code: string): string[] => [...code.matchAll(/^import .* from "(.*)";$/gm)].map(([, from]) => from!);

describe("the bundle of the device", () => {
  let firmware: string;
  let main: string;
  let sources: string[];
  beforeAll(async () => {
    const files = await builtBundle();
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
    expect(main).toMatch(/import \{ Firmware \} from "firmware";[^]*return new Firmware\(/);
  });

  it("has the time of its commit, before which it is not", () => {
    const [time] = execFileSync("git", ["log", "-1", "--format=%ct"], { encoding: "utf8" }).split("\n");
    expect(firmware).toMatch(new RegExp(`\\w+ < ${time}\\b`));
    expect(readFileSync("src/network/sntp/built.ts", "utf8")).not.toContain(time);
  });

  it("has the fields of the BMS that the firmware uses, and no other", () => {
    const used = usedFields();
    expect(used).toContain("soc");
    for (const [name, field] of Object.entries<Field>(FIELDS))
      expect([name, new RegExp(`\\b${field}\\b`).test(firmware)]).toEqual([name, used.has(name)]);
  });

  it("names nothing that would link the engine's tables of all letters (scripts/size/budget.mjs)", () => {
    expect(firmware).not.toMatch(/\bto(?:Locale)?(?:Lower|Upper)Case\b/);
  });

  it("has numbers in place of named constants", () => {
    expect(readFileSync("modules/http-server/response-frame.ts", "utf8")).toContain("bytes[start + 1] = LF;");
    expect(firmware).toMatch(/\[\w+\] = 13, \w+\[\w+ \+ 1\] = 10[,;]/);
    // However long the number is: in flash a name takes more.
    expect(firmware).not.toMatch(new RegExp(`[\\w$]+ = ${FIELDS.packCurrent}[,;]`));
  });
});

describe("what a board does not have", () => {
  it("is not in its bundle, nor is a part that it does without", async () => {
    const whole = (await builtBundle()).get("firmware.js")!;
    const without = (await bundleDevice({ missing: ETHERNET, without: ["own-mib"], passes: [] })).get("firmware.js")!;
    for (const part of ETHERNET) {
      expect(imported(without)).not.toContain(part);
      expect(imported(whole)).toContain(part);
    }
    expect(whole).toContain("src/snmp/bms-mib.ts");
    expect(without).not.toContain("src/snmp/bms-mib.ts");
  });

  it("follows from its manifest", () => {
    const without = Object.fromEntries(BOARDS.map((board) => [board, missingModules(board)]));
    expect(without).toEqual({
      wt32_eth01: [],
      nodemcu: ETHERNET,
      esp32c3: ETHERNET,
      esp32s3: ETHERNET,
      waveshare_rs485_can: ETHERNET,
      waveshare_relay_1ch: ETHERNET,
      waveshare_relay_6ch: ETHERNET,
      t_can485: ETHERNET,
      atom_lite_rs485: ETHERNET,
      atoms3_lite_rs485: ETHERNET,
      t_eth_poe_pro: [],
    });
  });
});

it("no board does without a part", () => {
  expect(BOARDS.filter((board) => withoutOf(board).length)).toEqual([]);
});

describe("withConstants", () => {
  it("turns top-level variables into constants, but not those in functions", async () => {
    const code = "var a = 1, b = () => {\n  var c = 2;\n  return c;\n};\n";
    expect(await withConstants(code)).toBe(code.replace(/^var/, "const"));
  });

  it.each([
    ["a value that comes later", "var a = 1;\nfunction f() {\n  a = 2;\n}\n"],
    ["a variable that is counted", "var a = 1;\nfunction f() {\n  a++;\n}\n"],
    ["no value", "var a;\n"],
  ])("refuses %s", async (_, code) => {
    await expect(withConstants(code)).rejects.toThrow(/const/);
  });
});
