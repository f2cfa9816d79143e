/**
 * Composition of a board's image, as far as it comes from this project, and its total size including the measured rest.
 */
import { readFileSync } from "node:fs";
import { restOf } from "./budget.mjs";
import { partsOf } from "./heap.mjs";
import { pageBytes } from "./page.mjs";

/** `path`: mc.xs.c of a board. */
export function imageOf(board, path) {
  const { slots, causes, bytes } = partsOf(readFileSync(path, "utf8"));
  const firmware = Object.values(bytes).reduce((total, part) => total + part, 0);
  const page = pageBytes();
  const rest = restOf(board);
  return { slots, causes, bytes, firmware, page, rest, image: firmware + page + rest };
}
