/**
 * What `npm run test:emulator` needs: the image that mcconfig built for a board, and Espressif's QEMU with that board's chip, which
 * ESP-IDF's users install with `idf_tools.py install`.
 */
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { FILES } from "./release/images.mjs";

/** Emulators by esp_chip_id_t: the program, and ESP-IDF's name of the tool. */
const EMULATORS = {
  0: { program: "qemu-system-xtensa", tool: "qemu-xtensa" },
  5: { program: "qemu-system-riscv32", tool: "qemu-riscv32" },
  9: { program: "qemu-system-xtensa", tool: "qemu-xtensa" },
};

const configOf = (root, board) => JSON.parse(readFileSync(join(root, `boards/${board}/manifest.json`), "utf8")).config;

/** The chip of a board, esp_chip_id_t. @param {string} root the repository */
export const chipOf = (root, board) => configOf(root, board).chip;

/** The number of the UART with the BMS. @param {string} root the repository */
export const bmsPortOf = (root, board) => configOf(root, board).pins.bms.port;

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The emulator of a chip. @param {string} path PATH
 * Throws an Error that says how to install it.
 */
export function findEmulator(chip, path) {
  const emulator = EMULATORS[chip];
  if (!emulator) throw new Error(`No emulator is known for the chip ${chip}.`);
  const found = path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, emulator.program))
    .find(isProgram);
  if (found) return found;
  throw new Error(
    `${emulator.program} is not on the PATH: python $IDF_PATH/tools/idf_tools.py install ${emulator.tool}, then . $IDF_PATH/export.sh (docs/building.md)`,
  );
}

/** Throws an Error that names the files missing from a build and the command that makes them. @param {string} folder of the build */
export function checkBuild(folder, board) {
  const missing = FILES.filter((file) => !existsSync(join(folder, file)));
  if (missing.length)
    throw new Error(`${folder} lacks ${missing.join(", ")}: npm run build:esp32 -- ${board} (docs/building.md)`);
}
