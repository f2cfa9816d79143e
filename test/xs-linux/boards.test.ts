/** What the SDK's mcconfig makes of the manifests for each board. Needs no ESP-IDF: nothing is compiled. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";
import { flashOf, tableOf, writeFlashSettings } from "../../scripts/flash-settings.mjs";
import { BOARDS, missingModules, sdkEnvironment } from "../../scripts/moddable.mjs";
import { ASSETS } from "../../src/web/assets";
import { runProgram } from "../support/run-program";
import { REQUIRED, settingsOf } from "../support/boards/sdkconfig";

/** Where ESP-IDF has the headers that our C includes by their name alone. */
const COMPONENT_OF: Record<string, string> = {
  "esp_attr.h": "esp_common",
  "esp_eth_mac_esp.h": "esp_eth",
  "esp_heap_caps.h": "heap",
  "esp_netif.h": "esp_netif",
  "esp_partition.h": "esp_partition",
  "esp_random.h": "esp_hw_support",
  "esp_rom_sys.h": "esp_rom",
  "esp_system.h": "esp_system",
};

let out: string;
beforeAll(() => void (out = mkdtempSync(join(tmpdir(), "boards-"))));
afterAll(() => rmSync(out, { recursive: true }));

/** Runs one of the SDK's tools. */
const run = (command: string, parameters: string[]): Promise<{ code: number | null; output: string }> =>
  runProgram("env", [`PATH=${sdkEnvironment()["PATH"]}`, command, ...parameters], 110);

describe.each(BOARDS)("esp32/%s", (board) => {
  let made: string;
  let project: string;
  let makefile: string;
  const hasEthernet = missingModules(board).length === 0;
  beforeAll(async () => {
    writeFlashSettings(root, board);
    const { code, output } = await run("mcconfig", ["-p", `esp32/${board}`, "-o", out, join(root, "manifest.json")]);
    expect([code, output]).toEqual([0, ""]);
    const folder = join(out, "tmp/esp32", board, "release");
    made = join(folder, readdirSync(folder).find((name) => name !== "lib") ?? "");
    project = join(made, readdirSync(made).find((name) => name.startsWith("xsProj")) ?? "");
    makefile = readFileSync(join(made, "makefile"), "utf8");
  });

  it("has the firmware and its modules in flash, but not main", () => {
    const preloaded = [...makefile.matchAll(/^\t-p (\S+)\.xsb/gm)].map(([, name]) => name!);
    expect(preloaded).toContain("firmware");
    expect(preloaded).not.toContain("main");
    expect(makefile).toContain("$(MODULES_DIR)/main.xsb");
    expect(preloaded).toContain("~.embedded/io/socket/tcp/tls");
  });

  it("has the page, and two slots for the firmware", () => {
    for (const file of ["index.html", ...ASSETS]) expect(makefile).toContain(`$(DATA_DIR)/${file}.gz`);
    expect(readFileSync(join(project, "partitions.csv"), "utf8")).toBe(
      readFileSync(join(root, "boards/esp32", tableOf(flashOf(root, board).size)), "utf8"),
    );
  });

  it("is built with our ESP-IDF settings, whatever the SDK has for its chip", () => {
    const made = settingsOf(readFileSync(join(project, "sdkconfig.mc"), "utf8"));
    const ours = [...settingsOf(readFileSync(join(root, "boards/esp32/sdkconfig/sdkconfig.defaults"), "utf8"))];
    expect(ours.length).toBeGreaterThan(Object.keys(REQUIRED).length);
    expect(ours.filter(([name, value]) => made.get(name) !== value)).toEqual([]);
    const { size, mode } = flashOf(root, board);
    const chosen = (choice: string): string[] =>
      [...made]
        .filter(([name, value]) => name.startsWith(`ESPTOOLPY_${choice}_`) && value === "y")
        .map(([name]) => name);
    expect(chosen("FLASHSIZE")).toEqual([`ESPTOOLPY_FLASHSIZE_${size}`]);
    expect(chosen("FLASHMODE")).toEqual([`ESPTOOLPY_FLASHMODE_${mode}`]);
  });

  it("links no more of the SDK than it uses, and downloads no components", () => {
    expect(makefile).toContain("/boards/esp32/serial/");
    expect(makefile).not.toMatch(
      /\/modules\/(?:io\/(?:serial|i2c|spi|pwm|pulse\w+|system)|pins|drivers|network\/sntp)\//,
    );
    expect(makefile).not.toMatch(/modSocket|\bsetup\//);
    expect(makefile).not.toContain("add-dependency");
    const components = readFileSync(join(made, "xs_idf_deps.txt"), "utf8");
    for (const component of ["esp_adc", "esp_driver_gpio", "esp_driver_uart", "esp_wifi"])
      expect(components).toContain(` ${component} `);
    expect(components.includes(" esp_eth ")).toBe(hasEthernet);
  });

  it("contains our C code, and finds its ESP-IDF includes", () => {
    expect(makefile).toMatch(/\/boards\/esp32\/life\.c/);
    const architecture = board === "esp32c3" ? "riscv" : "xtensa";
    // mcconfig escapes the spaces of a value: one between two folders makes a single argument of both.
    const [, included] = /^C_INCLUDES = (.*)$/m.exec(makefile)!;
    expect(included).not.toContain(" ");
    expect(included!.split("\t").map((argument) => argument.replace(/^.*(?=\/(?:components|modules)\/)/, ""))).toEqual([
      `/components/espcoredump/include/port/${architecture}`,
      "/components/mbedtls/port/include",
      "/components/mbedtls/mbedtls/tf-psa-crypto/include",
      "/components/mbedtls/mbedtls/tf-psa-crypto/drivers/builtin/include",
      ...(hasEthernet ? ["/modules/io/ethernet/esp32"] : []),
    ]);
    expect(readFileSync(join(made, "xs_idf_deps.txt"), "utf8")).toContain(" espcoredump ");
  });

  it("saves registers by common functions where the chip has such", () => {
    const flags = (architecture: string) => new RegExp(`^SIZE_FLAGS_${architecture} = (.*)$`, "m").exec(makefile)?.[1];
    expect(flags("riscv")?.split("\t")).toContain("-msave-restore");
    expect(flags("xtensa")).toBeUndefined();
    expect(makefile).toMatch(new RegExp(`^\\s*ESP_ARCH = ${board === "esp32c3" ? "riscv" : "xtensa"}$`, "m"));
  });

  it("compiles its C code again when one of our headers has changed", () => {
    const [, headers] = /^HEADERS =((?:.*\\\n)*.*)$/m.exec(makefile)!;
    const ours = readdirSync(join(root, "boards/esp32"), { recursive: true, encoding: "utf8" });
    const wanted = ours.filter((name) => name.endsWith(".h"));
    expect(wanted).toContain("retained.h");
    expect(wanted.filter((name) => !headers!.includes(`/boards/esp32/${name}`))).toEqual([]);
  });

  it("is compiled against the libc that ESP-IDF links, with the square root that the SDK's pow takes from newlib", () => {
    expect(makefile).toMatch(/^C_FLAGS_SUBPLATFORM = -specs=picolibc\.specs\t\$\{SIZE_FLAGS_\$\{ESP_ARCH\}\}$/m);
    expect(makefile).toMatch(/^C_FLAGS \?= .*\\\n(?:.*\\\n)*\t\$\(C_FLAGS_SUBPLATFORM\)$/m);
    expect(makefile).toMatch(/\/boards\/esp32\/sqrt\.c/);
    const pow = readFileSync(join(process.env["MODDABLE"]!, "build/devices/esp32/lib/pow/e_pow.c"), "utf8");
    expect([...pow.matchAll(/\b__ieee754_(?!pow\b)\w+/g)].map(([name]) => name)).toEqual(["__ieee754_sqrt"]);
  });

  it("has its natives in flash: an FFI object would take all of its functions anew at each use", () => {
    expect(makefile).not.toMatch(/ffi/i);
    expect(makefile).toMatch(/\/boards\/esp32\/name-server\.c/);
  });

  it("includes nothing of ESP-IDF whose folder the SDK's makefile does not name", () => {
    const folder = join(root, "boards/esp32");
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.[ch]$/.test(name));
    const included = sources.flatMap((name) =>
      [
        ...readFileSync(join(folder, name), "utf8").matchAll(
          /^\s*#include "((?:\w+\/include\/)?(?:esp|nvs)_\w+\.h)"/gm,
        ),
      ].map(([, header]) => header!),
    );
    expect(included).toContain("esp_partition.h");
    const named = makefile.split("\n").map((line) => line.replace(/ \\$/, "").trim());
    const folders = included.map((header) => (header.includes("/") ? "" : `/${COMPONENT_OF[header]}/include`));
    expect(folders.filter((folder) => !named.includes(`$(IDF_PATH)/components${folder}`))).toEqual([]);
  });

  it("initializes NVS itself, before the SDK's app_main, which aborts on an error", () => {
    expect(makefile).toMatch(/\/boards\/esp32\/store\.c/);
    const defines = readFileSync(join(made, "mc.defines.h"), "utf8");
    const [, delay] = /^#define MODDEF_STARTUP_DELAYMS (.*)$/m.exec(defines)!;
    expect(delay).toBe(
      "({ extern void rngTakeNoise(void); extern unsigned int storeOpen(void); rngTakeNoise(); storeOpen(); })",
    );
    expect(defines).not.toMatch(/MODDEF_STARTUP_(DEBUG|RELEASE)DELAYMS/);
    const sdk = (path: string): string => readFileSync(join(process.env["MODDABLE"]!, path), "utf8");
    expect(sdk("xs/platforms/esp/xsHost.c")).toMatch(
      /^void modPrelaunch\(void\)\n\{[^}]*modDelayMilliseconds\(MODDEF_STARTUP_DELAYMS\);/m,
    );
    expect(sdk("build/devices/esp32/lib/main/main.c")).toMatch(
      /^void app_main\(\) \{\n\s*modPrelaunch\(\);[^}]*nvs_flash_init\(\)/m,
    );
  });

  it("tells the Ethernet driver its PHY, and the pin at which the chip clocks it, if it does", () => {
    const { defines } = JSON.parse(readFileSync(join(root, `boards/${board}/manifest.json`), "utf8")) as {
      defines?: { ethernet: { internal: { phy: { address: number; reset: number }; mac: { clock?: number } } } };
    };
    const { phy, mac } = defines?.ethernet.internal ?? {};
    const text = readFileSync(join(made, "mc.defines.h"), "utf8");
    const defined = (name: string): number | undefined => {
      const [, value] = new RegExp(`^#define MODDEF_ETHERNET_INTERNAL_${name} \\((\\d+)\\)$`, "m").exec(text) ?? [];
      return value === undefined ? undefined : Number(value);
    };
    expect([defined("PHY_ADDRESS"), defined("PHY_RESET"), defined("MAC_CLOCK")]).toEqual([
      phy?.address,
      phy?.reset,
      mac?.clock,
    ]);
    expect(phy !== undefined).toBe(hasEthernet);
  });

  it("has a queue to XS that lwIP cannot fill", () => {
    expect(readFileSync(join(made, "mc.defines.h"), "utf8")).toContain("#define MODDEF_TASK_QUEUELENGTH (48)\n");
  });
});
