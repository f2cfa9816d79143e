import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { BOARDS } from "../../scripts/moddable.mjs";
import { COMPONENTS } from "../../scripts/notices/components.mjs";
import { packagesOfPage } from "../../scripts/notices/npm.mjs";
import { partsOf } from "../../scripts/release/bill.mjs";
import { offsetsOf, placesOf, writeRelease, type Release } from "../../scripts/release/images.mjs";

const table = readFileSync("boards/esp32/partitions.csv", "utf8");
const IMAGE = 100;

describe("the files of a release", () => {
  let folder: string;
  let release: Release;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "images-"));
    const boards = [
      ["one", 0],
      ["three", 5],
    ].map(([board, chip]) => {
      const build = join(folder, String(board));
      mkdirSync(build);
      for (const name of ["bootloader.bin", "partition-table.bin", "ota_data_initial.bin"])
        writeFileSync(join(build, name), `${board} ${name}`);
      writeFileSync(join(build, "xs_esp32.bin"), Buffer.alloc(IMAGE, String(board)));
      return { board: String(board), name: `Board ${board}`, chip: Number(chip), folder: build, budget: IMAGE };
    });
    const texts = ["LICENSE", "THIRD-PARTY-NOTICES"];
    const parts = [{ name: "Mbed TLS", version: "v6.0.2", licence: "Apache-2.0" }];
    release = { version: "1.2.3", table, boards, texts, parts, to: join(folder, "release") };
  });

  const read = (name: string): string => readFileSync(join(release.to, name), "utf8");

  it("are images, a manifest per board, licences, and checksums that sha256sum accepts", () => {
    writeRelease(release);
    expect(readdirSync(release.to)).toEqual([
      "LICENSE",
      "SHA256SUMS",
      "THIRD-PARTY-NOTICES",
      "jk-bms-monitor-1.2.3-one-bootloader.bin",
      "jk-bms-monitor-1.2.3-one-otadata.bin",
      "jk-bms-monitor-1.2.3-one-partitions.bin",
      "jk-bms-monitor-1.2.3-one.bin",
      "jk-bms-monitor-1.2.3-one.cdx.json",
      "jk-bms-monitor-1.2.3-three-bootloader.bin",
      "jk-bms-monitor-1.2.3-three-otadata.bin",
      "jk-bms-monitor-1.2.3-three-partitions.bin",
      "jk-bms-monitor-1.2.3-three.bin",
      "jk-bms-monitor-1.2.3-three.cdx.json",
      "manifest-one.json",
      "manifest-three.json",
    ]);
    expect(read("SHA256SUMS").trim().split("\n")).toHaveLength(14);
    execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: release.to });
  });

  it("have a bill of materials for each image, with its checksum and all that others made of it", () => {
    writeRelease(release);
    const sums = read("SHA256SUMS");
    for (const { board } of release.boards) {
      const file = `jk-bms-monitor-1.2.3-${board}.bin`;
      const bill = JSON.parse(read(file.replace(".bin", ".cdx.json"))) as {
        metadata: { component: { name: string; hashes: { content: string }[] } };
      };
      expect(bill).toMatchObject({
        bomFormat: "CycloneDX",
        specVersion: "1.5",
        components: [{ name: "Mbed TLS", version: "v6.0.2", licenses: [{ license: { name: "Apache-2.0" } }] }],
        dependencies: [{ ref: file, dependsOn: ["Mbed TLS@v6.0.2"] }],
      });
      expect(sums).toContain(`${bill.metadata.component.hashes[0]!.content}  ${file}\n`);
    }
  });

  it("of the images of this project names each part that was reviewed, with a version", async () => {
    const parts = [...partsOf(COMPONENTS, readFileSync("scripts/ci/versions", "utf8")), ...(await packagesOfPage())];
    expect(parts.map(({ name }) => name)).toEqual([...COMPONENTS.map(({ name }) => name), "preact"]);
    for (const { version, licence } of parts)
      expect([version, licence]).toEqual([expect.stringMatching(/\d/), expect.stringMatching(/./)]);
    expect(() => partsOf(COMPONENTS, "IDF_VERSION=1")).toThrow("has no MODDABLE_VERSION");
  });

  it("name the board in what the browser asks", () => {
    writeRelease(release);
    expect(JSON.parse(read("manifest-one.json"))).toMatchObject({ name: "JK BMS Monitor for Board one" });
    const boards = release.boards.map((board) => ({ ...board, name: "" }));
    expect(() => writeRelease({ ...release, boards })).toThrow("one has no name on the page that flashes");
  });

  it("have the offsets of the partition table and the chip's boot ROM", () => {
    writeRelease(release);
    const builds = (board: string): unknown =>
      (JSON.parse(read(`manifest-${board}.json`)) as { builds: unknown }).builds;
    const parts = (board: string, bootLoader: number): object[] => [
      { path: `jk-bms-monitor-1.2.3-${board}-bootloader.bin`, offset: bootLoader },
      { path: `jk-bms-monitor-1.2.3-${board}-partitions.bin`, offset: 0x8000 },
      { path: `jk-bms-monitor-1.2.3-${board}-otadata.bin`, offset: 0x11000 },
      { path: `jk-bms-monitor-1.2.3-${board}.bin`, offset: 0x20000 },
    ];
    expect(builds("one")).toEqual([{ chipFamily: "ESP32", parts: parts("one", 0x1000) }]);
    expect(builds("three")).toEqual([{ chipFamily: "ESP32-C3", parts: parts("three", 0) }]);
  });

  it("are refused for an image one byte over its budget", () => {
    writeFileSync(join(folder, "three/xs_esp32.bin"), Buffer.alloc(IMAGE + 1));
    expect(() => writeRelease(release)).toThrow("three: the image has 101 bytes, 1 above its budget");
  });

  it("are refused for an incomplete build or an unknown chip", () => {
    expect(() => writeRelease({ ...release, boards: [{ ...release.boards[0]!, chip: 1 }] })).toThrow("number 1");
    rmSync(join(folder, "three/ota_data_initial.bin"));
    expect(() => writeRelease(release)).toThrow("ota_data_initial.bin");
  });
});

it("the partition table is read", () => {
  expect(offsetsOf(table)).toMatchObject({ nvs: 0x9000, otadata: 0x11000, ota_0: 0x20000 });
});

describe("docs/start/flash.md", () => {
  const page = readFileSync("docs/start/flash.md", "utf8");
  const chipOf = (board: string): number =>
    (JSON.parse(readFileSync(`boards/${board}/manifest.json`, "utf8")) as { config: { chip: number } }).config.chip;

  it.each([
    ["esp32", 0],
    ["esp32s3", 9],
  ])("writes a release's files for the %s where they belong", (name, chip) => {
    const [, words = ""] = new RegExp(`--chip ${name} --port \\S+ write_flash (.*)\n`).exec(page) ?? [];
    const parts = ["-bootloader", "-partitions", "-otadata", ""];
    const places = placesOf(chip, offsetsOf(table));
    expect(words.split(" ")).toEqual(
      parts.flatMap((part, at) => [`0x${places[at]?.toString(16)}`, `jk-bms-monitor-VERSION-BOARD${part}.bin`]),
    );
  });

  it("has each board at its chip; the C3 is as the S3", () => {
    const [, esp32 = "", others = ""] =
      /\n\*\*ESP32\*\* \((.*?)\)[^]*\*\*ESP32-C3 and ESP32-S3\*\* \((.*?)\)/.exec(page) ?? [];
    const named = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map(([, board = ""]) => board).sort();
    expect(named(esp32)).toEqual(BOARDS.filter((board) => chipOf(board) === 0).sort());
    expect(named(others)).toEqual(BOARDS.filter((board) => chipOf(board) !== 0).sort());
    expect(placesOf(5, offsetsOf(table))).toEqual(placesOf(9, offsetsOf(table)));
  });
});
