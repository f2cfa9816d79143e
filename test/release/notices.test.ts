import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { SDK_WITHOUT_HEADER } from "../../scripts/notices/components.mjs";
import { problemsOf, REVIEWED, unreviewedArchives, unreviewedFiles } from "../../scripts/notices/check-linked.mjs";

const notices = readFileSync("THIRD-PARTY-NOTICES", "utf8");

describe("THIRD-PARTY-NOTICES", () => {
  it.each(["LGPL-3.0-or-later", "GPL-3.0-or-later", "Apache-2.0", "parts/lwip", "parts/picolibc", "parts/freertos"])(
    "has the whole text of %s",
    (name) => {
      const text = readFileSync(`LICENSES/${name}.txt`, "utf8")
        .replace(/[ \t]+$/gm, "")
        .trim();
      expect(text.length).toBeGreaterThan(500);
      expect(notices).toContain(text);
    },
  );

  it.each([
    ["the Moddable SDK", `of the Moddable SDK ${REVIEWED["MODDABLE_VERSION"]}: LGPL-3.0-or-later AND Apache-2.0`],
    ["ESP-IDF", `of ESP-IDF ${REVIEWED["IDF_VERSION"]}: Apache-2.0`],
  ])("names the version of %s that releases are built with", (_name, line) => {
    expect(notices).toContain(line);
  });

  it.each(["preact", "esp-web-tools", "esptool-js", "lit", "@material/web", "improv-wifi-serial-sdk"])(
    "names %s as installed",
    (name) => {
      const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) as { version: string };
      expect(notices).toContain(`\n${name} ${version}: `);
    },
  );

  it("lists the files that name no licence, and says under which they are passed on", () => {
    expect(SDK_WITHOUT_HEADER).toHaveLength(7);
    for (const file of SDK_WITHOUT_HEADER) expect(notices).toContain(`\n  ${file}\n`);
    expect(notices).toContain("They are passed on here under\nLGPL-3.0-or-later");
  });

  it("is out of date for the check once a text is missing", () => {
    const folder = mkdtempSync(join(tmpdir(), "notices-"));
    for (const path of "scripts LICENSES host-sim modules web src manifest.json package.json package-lock.json".split(
      " ",
    ))
      execFileSync("cp", ["-r", path, folder]);
    execFileSync("ln", ["-s", join(process.cwd(), "node_modules"), folder]);
    const check = (): number | null =>
      spawnSync(process.execPath, [join(folder, "scripts/notices.mjs"), "--check"], { cwd: folder }).status;
    writeFileSync(join(folder, "THIRD-PARTY-NOTICES"), notices);
    expect(check()).toBe(0);
    writeFileSync(join(folder, "THIRD-PARTY-NOTICES"), notices.replace("preact ", "react "));
    expect(check()).toBe(1);
  });
});

const HEADER = "/*\n * The Moddable SDK Runtime is free software: and so on\n */\n";

describe("what a build links", () => {
  let sdk: string;
  beforeEach(() => {
    sdk = mkdtempSync(join(tmpdir(), "sdk-"));
    for (const [path, text] of [
      ["modules/one.c", HEADER],
      ["modules/two.js", "// Copyright somebody else\n"],
      ["modules/io/flash/esp32/flash-esp32.c", ""],
    ] as const) {
      mkdirSync(dirname(join(sdk, path)), { recursive: true });
      writeFileSync(join(sdk, path), text);
    }
  });

  it("is reviewed if each file of the SDK has its header or an entry", () => {
    const makefile =
      `$(TMP)/one.o: $(MODDABLE)/modules/one.c\n$(TMP)/f.o: ${sdk}/modules/io/flash/esp32/flash-esp32.c\n` +
      "$(MODULES)/three.js $(MODDABLE)/modules/manifest.json";
    expect(unreviewedFiles(makefile, sdk)).toEqual([]);
    expect(unreviewedFiles(`${makefile}\n$(TMP)/two.xsb: $(MODDABLE)/modules/two.js\n`, sdk)).toEqual([
      "modules/two.js",
    ]);
  });

  it("is reviewed if each library of ESP-IDF has an entry", () => {
    const map = [
      "esp-idf/freertos/libfreertos.a(tasks.c.obj)",
      "esp-idf/esp_wifi/libesp_wifi.a(wifi_init.c.obj)",
      "/opt/esp-idf/components/esp_wifi/lib/esp32/libnet80211.a(ieee80211.o)",
      "/opt/tools/xtensa-esp32-elf/lib/libc.a(libc_a-memcpy.o)",
      "xs_esp32.a(xsAll.c.o)",
    ].join("\n");
    expect(unreviewedArchives(map)).toEqual([]);
    expect(unreviewedArchives(`${map}\nesp-idf/mqtt/libmqtt.a(mqtt_client.c.obj)\n`)).toEqual(["libmqtt.a"]);
  });

  it("is another version's if SDK or ESP-IDF have another tag", () => {
    const makefile = join(sdk, "makefile");
    const map = join(sdk, "map");
    for (const path of [makefile, map]) writeFileSync(path, "");
    const git = (folder: string, ...parameters: string[]): void =>
      void execFileSync("git", ["-C", folder, "-c", "user.name=T", "-c", "user.email=t@example.org", ...parameters]);
    const tagged = (tag: string): string => {
      const folder = mkdtempSync(join(tmpdir(), "tagged-"));
      git(folder, "init", "--quiet");
      git(folder, "commit", "--quiet", "--allow-empty", "--message", "One");
      git(folder, "tag", "--annotate", tag, "--message", tag);
      return folder;
    };
    const idf = tagged(REVIEWED["IDF_VERSION"] ?? "");
    const build = { makefile, map, sdk: tagged(REVIEWED["MODDABLE_VERSION"] ?? ""), idf };
    expect(problemsOf(build)).toEqual([]);
    expect(problemsOf({ ...build, sdk: tagged("9.9.9") })).toEqual([
      expect.stringContaining(`for the Moddable SDK ${REVIEWED["MODDABLE_VERSION"]}, this is 9.9.9`) as string,
    ]);
  });
});
