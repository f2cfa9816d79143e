/** The partition table of all boards: ESP-IDF's rules, and what the product keeps where. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ApplicationSlots } from "../../host-sim/flash";

const KB = 1024;
const FLASH = 4 * 1024 * KB;
/** The boot loader and the table itself lie below. */
const FIRST = 0x9000;
/** What the flash erases at once. */
const SECTOR = 4 * KB;
/** What the chip maps of a program at once. */
const PAGE = 64 * KB;

const rows = readFileSync("boards/esp32/partitions.csv", "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"))
  .map((line) => line.split(",").map((cell) => cell.trim()));
const partitions = rows.map(([name, type, subtype, offset, size]) => ({
  name,
  type,
  subtype,
  start: Number(offset),
  size: Number(size),
}));
const sizeOf = (wanted: string): number => partitions.find(({ name }) => name === wanted)!.size;

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

  it("is aligned to sectors, program slots to the chip's pages, without overlap and within 4 MB", () => {
    expect(partitions[0]!.start).toBe(FIRST);
    partitions.forEach(({ type, start, size }, at) => {
      expect(start % (type === "app" ? PAGE : SECTOR)).toBe(0);
      expect(size % SECTOR).toBe(0);
      expect(size).toBeGreaterThan(0);
      expect(start + size).toBeLessThanOrEqual(partitions[at + 1]?.start ?? FLASH);
    });
  });

  it("is fully used", () => {
    expect(partitions.reduce((sum, { size }) => sum + size, FIRST)).toBe(FLASH);
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
