/**
 * Composition of a board's image, as far as it comes from this project, and its total size including the measured rest.
 */
import { readFileSync, statSync } from "node:fs";
import { root } from "../../host-sim/specifiers.mjs";
import { COMPILED, REST } from "./budget.mjs";
import { partsOf } from "./heap.mjs";

/** The files embedded by manifest.json, in their embedded form. */
function pageBytes() {
  const { data } = JSON.parse(readFileSync(`${root}manifest.json`, "utf8"));
  return data["*"].reduce(
    (total, file) => total + statSync(`${root}${file}${file.startsWith("./build/web/") ? ".gz" : ".der"}`).size,
    0,
  );
}

/** `path`: mc.xs.c of a board. */
export function imageOf(board, path) {
  const { slots, causes, bytes } = partsOf(readFileSync(path, "utf8"));
  const firmware = Object.values(bytes).reduce((total, part) => total + part, COMPILED);
  const page = pageBytes();
  return { slots, causes, bytes, firmware, page, rest: REST[board], image: firmware + page + REST[board] };
}
