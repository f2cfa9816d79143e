/** Runs the passes on the sources, by an esbuild plugin, and on the bundle. `code` and `heap` run with the SDK's linker: linker/xsl.mjs. */
import { dirname } from "node:path";
import { withArrows } from "./arrows.mjs";
import { foldConstants } from "./folding.mjs";
import { sourceOf } from "./indices.mjs";
import { reuseNames } from "./names.mjs";

/**
 * @param {string} firmware path of the source that is bundled: absolute, or from the root of the repository
 * @param {readonly import("./passes.mjs").Pass[]} passes
 * @returns {import("esbuild").Plugin[]}
 */
export function shrinkSources(firmware, passes) {
  const wanted = { privates: passes.includes("privates"), indices: passes.includes("indices") };
  if (!wanted.privates && !wanted.indices) return [];
  return [
    {
      name: "sources that take less flash",
      setup: (build) =>
        build.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
          contents: sourceOf(path, firmware, wanted),
          loader: "ts",
          resolveDir: dirname(path),
        })),
    },
  ];
}

/**
 * @param {{ code: string, map: string }} bundle as esbuild makes it, its lines as in the map
 * @param {readonly import("./passes.mjs").Pass[]} passes
 * @returns {Promise<{ code: string, map: string }>}
 */
export async function shrinkBundle({ code, map }, passes) {
  let made = { code, map };
  if (passes.includes("arrows")) made.code = withArrows(made.code);
  if (passes.includes("folding")) made = await foldConstants(made.code, made.map);
  if (passes.includes("names")) made.code = reuseNames(made.code);
  return made;
}
