/**
 * What a board gets of this project, as far as it is known without the SDK, against what was recorded: growth is seen in the commit that
 * causes it, and recorded anew there with its reason (`npm run size -- --record`).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { transform } from "esbuild";
import { root } from "../../host-sim/specifiers.mjs";
import { pageBytes } from "./page.mjs";

/** Bytes that each may differ by, up or down. */
export const TOLERANCE = 2_000;

const FILE = `${root}scripts/size/recorded.json`;

/**
 * `code`: the firmware's bundle. The page must have been built.
 * @returns {Promise<import("./recorded.mjs").Sizes>}
 */
export async function sizesOf(code) {
  // Indentation takes no flash.
  const dense = await transform(code, { minifyWhitespace: true, charset: "utf8" });
  return { bundle: Buffer.byteLength(dense.code), page: pageBytes() };
}

/** @returns {import("./recorded.mjs").Sizes} */
export const recorded = () => JSON.parse(readFileSync(FILE, "utf8"));

/** @param {import("./recorded.mjs").Sizes} sizes */
export const record = (sizes) => writeFileSync(FILE, `${JSON.stringify(sizes, null, 2)}\n`);

/** @returns {string[]} what differs by more than the tolerance */
export const changesOf = (sizes, before) =>
  Object.keys(before)
    .filter((part) => Math.abs(sizes[part] - before[part]) > TOLERANCE)
    .map(
      (part) =>
        `${part}: ${sizes[part]} bytes, ${before[part]} recorded; npm run size -- --record, and say why in the commit`,
    );
