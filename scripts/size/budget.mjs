/** Size budgets, and the part of an image that is measured elsewhere. Bytes. */
import { readFileSync } from "node:fs";
import { root } from "../../host-sim/specifiers.mjs";

/** What a browser loads until it shows the first values, in any one language, compressed. */
export const MAX_FIRST = 45_056;

/**
 * By a board's flash: its image, and all files of the page. What does not fit on a board with 4 MB leaves parts out (scripts/parts.mjs).
 */
export const BUDGETS = {
  "4MB": { image: 1_900_000, page: 120_000 },
  more: { image: 1_940_000, page: 180_000 },
};

/**
 * What is not counted here, by chip and by whether it has Ethernet: the engine, the SDK's natives, ESP-IDF and libc, which are those of images
 * that were linked (docs/performance.md) less `mc.xs.c` and the page as counted; initial stack, tables of natives and the functions of `mc.xs.c`,
 * which are compiled rather than counted (10,000). The esp32's were linked at ef00056d or just before, with picolibc (libc, libm and libgcc:
 * 26,150). The esp32c3's at ceeba3aa (1,876,496 in all), with AES, SHA and big numbers in software. The esp32s3's was not linked: it is assumed to
 * match the esp32's with Ethernet.
 */
const REST = { "esp32 Ethernet": 964_218, esp32: 945_521, esp32c3: 963_760, esp32s3: 964_218 };

function manifestOf(board) {
  try {
    return JSON.parse(readFileSync(`${root}boards/${board}/manifest.json`, "utf8"));
  } catch (error) {
    throw new Error(`There is no board ${board}: boards/${board}/manifest.json`, { cause: error });
  }
}

/** Parts that the board does without. */
export const withoutOf = (board) => manifestOf(board).config.without ?? [];

/** These throw for a board that there is not. */
export const budgetOf = (board) => (manifestOf(board).build.FLASH_SIZE === "4MB" ? BUDGETS["4MB"] : BUDGETS.more);

export function restOf(board) {
  const { build, config } = manifestOf(board);
  const chip = build.ESP32_SUBCLASS ?? "esp32";
  const rest = REST[config.network === "Ethernet" ? `${chip} Ethernet` : chip];
  if (rest === undefined) throw new Error(`scripts/size/budget.mjs has no figures for the chip of ${board}`);
  return rest;
}
