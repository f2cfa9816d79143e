import { readdirSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PLATFORM } from "../../host-sim/specifiers.mjs";
import { bundleDevice, withConstants } from "../../scripts/device-bundle.mjs";
import { BOARDS, missingParts } from "../../scripts/moddable.mjs";

const ETHERNET = "embedded:network/interface/ethernet";

const imported = (code: string): string[] => [...code.matchAll(/^import .* from "(.*)";$/gm)].map(([, from]) => from!);

describe("the bundle of the device", () => {
  let firmware: string;
  let main: string;
  let sources: string[];
  beforeAll(async () => {
    const files = await bundleDevice();
    firmware = files.get("firmware.js")!;
    main = files.get("main.js")!;
    const map = JSON.parse(files.get("firmware.js.map")!) as { sources: string[] };
    sources = map.sources.map((source) => normalize(join("build/device", source)));
  });

  it("leaves to the platform what is its own, and nothing else", () => {
    const from = imported(firmware);
    expect(from).toContain("embedded:io/serial");
    expect(from.filter((specifier) => !(specifier in PLATFORM))).toEqual([]);
    expect(firmware).toMatch(/export \{\n {2}Firmware\n\};/);
  });

  it("has nothing that can change at its top: it lies in flash", () => {
    expect(firmware.match(/^(?:var|let) .*/gm)).toBeNull();
    expect(firmware).toMatch(/^const /m);
  });

  it("names no map: xsc would show every line of it in the first source", () => {
    expect(firmware + main).not.toContain("sourceMappingURL");
  });

  it("is made of every module of the firmware", () => {
    const folders = new Set(sources.map((source) => source.split("/").slice(0, 2).join("/")));
    const all = readdirSync("modules").filter((name) => name !== "tls-socket");
    for (const name of all) expect(folders).toContain(`modules/${name}`);
  });

  it("starts with a module that takes the firmware out of flash", () => {
    expect(imported(main).sort()).toEqual(["firmware", "mc/config"]);
    expect(main).toContain("new Firmware(");
  });

  it("has constants in the place of their names", () => {
    expect(readFileSync("src/network/limits.ts", "utf8")).toContain("export const STEP_INTERVAL = ");
    expect(firmware).not.toContain("STEP_INTERVAL");
  });
});

describe("what a board does not have", () => {
  it("is not in its bundle", async () => {
    const files = await bundleDevice({ without: [ETHERNET] });
    expect(imported(files.get("firmware.js")!)).not.toContain(ETHERNET);
    const whole = await bundleDevice();
    expect(imported(whole.get("firmware.js")!)).toContain(ETHERNET);
  });

  it("follows from its manifest", () => {
    const without = Object.fromEntries(BOARDS.map((board) => [board, missingParts(board)]));
    expect(without).toEqual({
      wt32_eth01: [],
      nodemcu: [ETHERNET],
      esp32c3: [ETHERNET, "embedded:io/socket/tcp/tls"],
      esp32s3: [ETHERNET],
    });
  });
});

describe("withConstants", () => {
  it("makes constants of variables at the top, not in functions", async () => {
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
