/**
 * Composition of a board's image, as far as it comes from this project, and its total size including the measured rest.
 */
import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { root } from "../../host-sim/specifiers.mjs";
import { COMPILED, REST } from "./budget.mjs";
import { partsOf } from "./heap.mjs";

/** The files embedded by manifest.json, in their embedded form. */
function pageBytes() {
  const folder = `${root}build/web/`;
  return readdirSync(folder)
    .filter((name) => name.endsWith(".gz"))
    .reduce((total, name) => total + readFileSync(folder + name).length, 0);
}

/** `path`: mc.xs.c of a board. */
export function imageOf(board, path) {
  const { slots, causes, bytes } = partsOf(readFileSync(path, "utf8"));
  const firmware = Object.values(bytes).reduce((total, part) => total + part, COMPILED);
  const page = pageBytes();
  return { slots, causes, bytes, firmware, page, rest: REST[board], image: firmware + page + REST[board] };
}
