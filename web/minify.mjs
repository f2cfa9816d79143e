/** Terser makes the statements of a function 3 % smaller than esbuild does. It takes 8 to 15 s for the whole page, so results are kept. */
import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { root } from "../host-sim/specifiers.mjs";
import { kept } from "./kept.mjs";

const CACHE = `${root}.cache/terser`;
/** `page` is what the page's scripts share. */
const options = () => ({
  module: true,
  compress: { passes: 3 },
  mangle: { reserved: ["page"] },
  format: { ecma: /** @type {const} */ (2020) },
});
const { version } = JSON.parse(readFileSync(`${root}node_modules/terser/package.json`, "utf8"));

async function minify(statements) {
  const terser = await import("terser");
  const { code = "" } = await terser.minify(statements, options());
  return gzipSync(code);
}

/**
 * @param {string} statements
 * @param {string} [folder] where results are kept, compressed: a damaged one does not unpack
 * @returns {Promise<string>} shorter statements that do the same
 */
export async function shortened(statements, folder = CACHE) {
  const packed = await kept({
    folder,
    from: [`${version} ${JSON.stringify(options())} `, statements],
    isWhole: (bytes) => gunzipSync(bytes).length > 0,
    make: () => minify(statements),
  });
  return gunzipSync(packed).toString();
}
