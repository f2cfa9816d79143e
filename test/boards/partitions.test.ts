/** The partition table of all boards: ESP-IDF's rules, and what the product keeps where. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { tableOf } from "../../scripts/flash-settings.mjs";
import { ApplicationSlots } from "../../host-sim/flash";

const KB = 1024;
const FLASH = 4 * 1024 * KB;
/** The boot loader and the table itself lie below. */
const FIRST = 0x9000;
/** What the flash erases at once. */
const SECTOR = 4 * KB;
/** What the chip maps of a program at once. */
const PAGE = 64 * KB;

interface Partition {
  readonly name: string;
  readonly type: string;
  readonly subtype: string;
  readonly start: number;
  readonly size: number;
}

const partitionsIn = (table: string): Partition[] =>
  readFileSync(`boards/esp32/${table}`, "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => line.split(",").map((cell) => cell.trim()))
    .map(([name = "", type = "", subtype = "", offset, size]) => ({
      ...{ name, type, subtype },
      ...{ start: Number(offset), size: Number(size) },
    }));

const partitions = partitionsIn(tableOf("4MB"));
const sizeOf = (wanted: string): number => partitions.find(({ name }) => name === wanted)!.size;

describe.each([
  ["4MB", 4],
  ["8MB", 8],
  ["16MB", 16],
] as const)("a flash of %s", (size, megabytes) => {
  const table = partitionsIn(tableOf(size));

  it("has the partitions of all, at the same places up to the first slot", () => {
    const place = ({ name, type, subtype, start }: Partition): string => `${name} ${type} ${subtype} ${start}`;
    expect(table.map(({ name }) => name)).toEqual(partitions.map(({ name }) => name));
    const first = table.findIndex(({ name }) => name === "ota_0");
    expect(table.slice(0, first + 1).map(place)).toEqual(partitions.slice(0, first + 1).map(place));
  });

  it("is aligned to sectors, program slots to the chip's pages, without overlap, and used to its end", () => {
    expect(table[0]!.start).toBe(FIRST);
    table.forEach(({ type, start, size: bytes }, at) => {
      expect(start % (type === "app" ? PAGE : SECTOR)).toBe(0);
      expect(bytes % SECTOR).toBe(0);
      expect(bytes).toBeGreaterThan(0);
      expect(start + bytes).toBe(table[at + 1]?.start ?? megabytes * 1024 * KB);
    });
  });

  it("has slots of 3 MB, and room for ten times the records, if it is larger than 4 MB", () => {
    const bytes = (wanted: string): number => table.find(({ name }) => name === wanted)!.size;
    expect([bytes("ota_0"), bytes("ota_1")]).toEqual(
      megabytes > 4 ? [3 * 1024 * KB, 3 * 1024 * KB] : [1920 * KB, 1920 * KB],
    );
    if (megabytes > 4) expect(bytes("history")).toBeGreaterThanOrEqual(10 * sizeOf("history"));
  });
});

describe("the flash", () => {
  it("holds settings, boot slot selection, a core dump, two slots and the history", () => {
    expect(partitions.map(({ name, type, subtype }) => `${name} ${type} ${subtype}`)).toEqual([
      "nvs data nvs",
      "otadata data ota",
      "coredump data coredump",
      "spare data undefined",
      "ota_0 app ota_0",
      "ota_1 app ota_1",
      "history data undefined",
    ]);
  });

  it("gives each slot 1,920 KB, the settings 32 KB, and the core dump room for their copy and for three stacks in full", () => {
    expect([sizeOf("ota_0"), sizeOf("ota_1")]).toEqual([1920 * KB, 1920 * KB]);
    expect(sizeOf("nvs")).toBe(32 * KB);
    expect(sizeOf("otadata")).toBe(2 * SECTOR);
    expect(sizeOf("coredump")).toBeGreaterThanOrEqual(sizeOf("nvs"));
    // The largest seen had 2,552 bytes of XS's stack in use: all of that, of Wi-Fi's and of lwIP's.
    expect(sizeOf("coredump")).toBeGreaterThanOrEqual(14_832 - 2_552 + 10_752 + 6_656 + 3_072);
    // What all settings need: test/settings/tables.test.ts.
    expect(sizeOf("spare")).toBe(5 * SECTOR);
  });

  it("matches the simulator's slots", () => {
    expect(new ApplicationSlots().size).toBe(sizeOf("ota_0"));
  });

  it("matches the flash of the Linux build", () => {
    const source = readFileSync("linux/flash/esp_partition.c", "utf8");
    const [, start, size] = /HISTORY = \{ \.address = (\w+), \.size = (\w+),/.exec(source)!;
    const history = partitions.find(({ name }) => name === "history")!;
    expect([Number(start), Number(size)]).toEqual([history.start, history.size]);
    expect(Number(/FLASH_BYTES (\w+)/.exec(source)![1])).toBe(FLASH);
  });

  it("matches docs/boards.md", () => {
    const documentation = readFileSync("docs/boards.md", "utf8");
    for (const { name, start, size } of partitions)
      expect(documentation).toMatch(
        new RegExp(`^\\| ${name} +\\| 0x${start.toString(16)} +\\| ${(size / KB).toLocaleString("en")} KB +\\|`, "m"),
      );
  });
});
