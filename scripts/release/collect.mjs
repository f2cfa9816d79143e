/** Collects the output of `npm run build:esp32` for all boards in build/release. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { BOARDS } from "../moddable.mjs";
import { root } from "../setup.mjs";
import { BUDGET } from "../size/budget.mjs";
import { writeRelease } from "./images.mjs";

const read = (path) => readFileSync(root + path, "utf8");
try {
  writeRelease({
    version: JSON.parse(read("package.json")).version,
    table: read("boards/esp32/partitions.csv"),
    boards: BOARDS.map((board) => ({
      board,
      chip: JSON.parse(read(`boards/${board}/manifest.json`)).config.chip,
      folder: `${root}build/moddable/bin/esp32/${board}/release/${basename(root)}`,
      budget: BUDGET[board],
    })),
    to: `${root}build/release`,
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
