/** What a build gets of a board's flash: its table, its size and its mode, or the mode of an emulator. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { tableOf, writeFlashSettings } from "../../scripts/flash-settings.mjs";

const root = mkdtempSync(join(tmpdir(), "flash-settings-"));
cpSync("boards", join(root, "boards"), { recursive: true });
afterAll(() => rmSync(root, { recursive: true }));

const chosen = (folder: string): string[] =>
  [...readFileSync(join(folder, "sdkconfig.defaults"), "utf8").matchAll(/^CONFIG_ESPTOOLPY_FLASH(\w+)=y$/gm)].map(
    ([, name]) => name!,
  );

it.each([
  ["nodemcu", "4MB", "QIO"],
  ["atoms3_lite_rs485", "8MB", "DIO"],
  ["t_eth_poe_pro", "16MB", "DIO"],
] as const)("%s has %s, by %s, and the table of that size", (board, size, mode) => {
  const folder = writeFlashSettings(root, board, "");
  expect(folder).toBe(join(root, `build/flash/${size}-${mode}`));
  expect(chosen(folder)).toEqual([`SIZE_${size}`, `MODE_${mode}`]);
  expect(readFileSync(join(folder, "partitions.csv"), "utf8")).toBe(
    readFileSync(join("boards/esp32", tableOf(size)), "utf8"),
  );
});

it("has another mode for an emulator, where the build looks for it, and refuses one that is none", () => {
  const folder = writeFlashSettings(root, "nodemcu", "DIO");
  expect([folder, chosen(folder)]).toEqual([join(root, "build/flash/4MB-QIO"), ["SIZE_4MB", "MODE_DIO"]]);
  expect(() => writeFlashSettings(root, "nodemcu", "DOUT")).toThrow("FLASH_MODE is one of QIO, DIO");
});
