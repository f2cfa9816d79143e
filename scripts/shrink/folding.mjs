/**
 * Inlines numbers and short texts throughout their module (esbuild inlines only those that precede everything else), and folds the
 * expressions that use them. Each would take a slot of flash, plus one for every function that uses it. Functions are not inlined: inside
 * another function they would be created in RAM at each call.
 *
 * Names inside functions become short: each that a closure takes is a key in flash. Those of the module keep their length up to here, because
 * terser inlines only what is no longer than its name.
 */
import { minify } from "terser";

/** @returns {Promise<{ code: string, map: string }>} */
export async function foldConstants(code, map) {
  const { code: folded, map: traced } = await minify(code, {
    module: true,
    mangle: { module: false, toplevel: false },
    compress: {
      ...{ defaults: false, evaluate: true, reduce_vars: true, reduce_funcs: false, unused: true, passes: 3 },
      // What is used once, and next, needs no variable.
      collapse_vars: true,
    },
    format: { beautify: true, comments: /^ \S+\.ts$/ },
    sourceMap: map === undefined ? false : { content: map, filename: "firmware.js" },
  });
  return { code: folded ?? "", map: typeof traced === "string" ? traced : "" };
}
