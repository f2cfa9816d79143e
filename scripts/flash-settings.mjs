/**
 * What mcconfig reads of a board's flash: build/flash/<size>-<mode> with the partition table and ESP-IDF's settings, named in
 * boards/esp32/manifest.json. Size and mode are FLASH_SIZE and FLASH_MODE of the board's manifest.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SIZES = ["4MB", "8MB", "16MB"];
const MODES = ["QIO", "DIO"];
const SETTINGS = "sdkconfig.defaults";

/** Throws for a size or mode that no board may have. @param {string} root the repository */
export function flashOf(root, board) {
  const { build } = JSON.parse(readFileSync(join(root, `boards/${board}/manifest.json`), "utf8"));
  const { FLASH_SIZE: size, FLASH_MODE: mode } = build;
  if (!SIZES.includes(size)) throw new Error(`${board}: FLASH_SIZE is one of ${SIZES.join(", ")}`);
  if (!MODES.includes(mode)) throw new Error(`${board}: FLASH_MODE is one of ${MODES.join(", ")}`);
  return { size, mode };
}

/** The partition table of a flash, in boards/esp32. All have the same up to the first slot, so that a release writes every board alike. */
export const tableOf = (size) => (size === "4MB" ? "partitions.csv" : `partitions-${size}.csv`);

/** ESP-IDF's settings: a choice has exactly one. */
function settingsOf({ size, mode }) {
  const choices = [
    ...SIZES.map((one) => [`FLASHSIZE_${one}`, one === size]),
    ...MODES.map((one) => [`FLASHMODE_${one}`, one === mode]),
  ];
  return choices.map(([name, isChosen]) => `CONFIG_ESPTOOLPY_${name}=${isChosen ? "y" : "n"}\n`).join("");
}

/**
 * Writes the folder for a board. `mode`: in place of its own, for an emulator whose flash refuses it. Throws for a mode that no board may have.
 * @returns its path
 */
export function writeFlashSettings(root, board, mode = process.env.FLASH_MODE) {
  const flash = flashOf(root, board);
  if (mode && !MODES.includes(mode)) throw new Error(`FLASH_MODE is one of ${MODES.join(", ")}`);
  const esp32 = join(root, "boards/esp32");
  const folder = join(root, `build/flash/${flash.size}-${flash.mode}`);
  mkdirSync(folder, { recursive: true });
  cpSync(join(esp32, tableOf(flash.size)), join(folder, "partitions.csv"));
  writeFileSync(
    join(folder, SETTINGS),
    readFileSync(join(esp32, "sdkconfig", SETTINGS), "utf8") + settingsOf({ ...flash, ...(mode && { mode }) }),
  );
  return folder;
}
