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

/** Where the emulator is, if not on the PATH: the program, or its folder. */
export const EMULATOR = "EMULATOR";

/**
 * The emulator of a chip, from `EMULATOR`, the program or its folder, or from the PATH; undefined: none is there. Throws for an unknown chip.
 * @param {Readonly<Record<string, string | undefined>>} environment
 */
export function findEmulator(chip, environment) {
  const { PATH = "" } = environment;
  const place = environment[EMULATOR];
  const emulator = EMULATORS[chip];
  if (!emulator) throw new Error(`No emulator is known for the chip ${chip}.`);
  const folders = place === undefined ? PATH.split(delimiter).filter((folder) => folder !== "") : [place];
  const files = folders.map((folder) => join(folder, emulator.program));
  return [...(place === undefined ? [] : [place]), ...files].find(isProgram);
}

/**
 * All that is missing to start a board's image, each with the way to it; empty: nothing.
 * @param {string} folder of the build @param {Readonly<Record<string, string | undefined>>} environment
 */
export function missingFor(board, chip, folder, environment) {
  const lacks = [];
  const files = FILES.filter((file) => !existsSync(join(folder, file)));
  const { program, tool } = EMULATORS[chip] ?? {};
  if (files.length) {
    lacks.push(`${folder} lacks ${files.join(", ")}: npm run build:esp32 -- ${board}`);
    for (const { name, what, file } of [
      { name: "MODDABLE", what: "the Moddable SDK", file: "build" },
      { name: "IDF_PATH", what: "ESP-IDF", file: "tools/cmake/version.cmake" },
    ]) {
      const place = environment[name];
      if (!place) lacks.push(`${name} is not set: the folder of ${what}`);
      else if (!existsSync(join(place, file)))
        lacks.push(`${name}=${place} is not the folder of ${what}: it lacks ${file}`);
    }
  }
  if (!findEmulator(chip, environment)) {
    const place = environment[EMULATOR];
    lacks.push(
      `${program} is not ${place === undefined ? "on the PATH" : `at ${EMULATOR}=${place}`}: python $IDF_PATH/tools/idf_tools.py install ${tool}, then . $IDF_PATH/export.sh, or ${EMULATOR}=<the program or its folder>`,
    );
  }
  return lacks;
}

/** Why QEMU cannot start a board's image, whatever is installed; undefined: it can. @param {string} root the repository */
export function unstartable(root, board, flashMode) {
  const { build } = JSON.parse(readFileSync(join(root, `boards/${board}/manifest.json`), "utf8"));
  const mode = flashMode ?? build.FLASH_MODE;
  return mode === "QIO" ? "QEMU's flash refuses QIO: FLASH_MODE=DIO npm run build:esp32" : undefined;
}
