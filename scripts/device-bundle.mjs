/**
 * Builds the JavaScript for the device: build/device/firmware.js, which is run at link time and placed in flash
 * (`preload`), and build/device/main.js, which starts it from there.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, transform } from "esbuild";
import { minify } from "terser";
import { indexed } from "./device-iteration.mjs";
import { reuseNames } from "./device-names.mjs";
import { esbuildModules, PLATFORM, root } from "../host-sim/specifiers.mjs";

const OUTPUT = join(root, "build/device");

/** @type {import("esbuild").BuildOptions} */
const OPTIONS = {
  absWorkingDir: root,
  outdir: OUTPUT,
  bundle: true,
  format: "esm",
  target: "es2023",
  charset: "utf8",
  legalComments: "none",
  // Emitted as a separate file without a reference to it: xsc reads only one source of a map and would attribute every
  // line to it. xsbug shows the bundle itself.
  sourcemap: "external",
  sourcesContent: false,
  // Inlines constants and removes unreachable code.
  minifySyntax: true,
  // Each name of a closure takes a key in flash.
  minifyIdentifiers: true,
  logLevel: "warning",
  write: false,
};

/** Modules that a board lacks are undefined in its firmware. */
const withoutParts = (specifiers) => ({
  name: "parts that the board does not have",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path }) => (specifiers.includes(path) ? { path, namespace: "none" } : undefined));
    onLoad({ filter: /.*/, namespace: "none" }, () => ({
      contents: "const none = undefined; export { none as default };",
    }));
  },
});

const firmwareByName = {
  name: "the firmware is a module of its own",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/firmware$/ }, () => ({ path: "firmware", external: true }));
  },
};

/** A top-level function, from its first to its last line. */
const FUNCTION = /^function ([\w$]+\(.*\)) \{\n([\s\S]*?)^\}$/gm;
const NEEDS_FUNCTION = /\b(?:this|arguments|new\.target)\b/;

/**
 * A constructible function takes three more slots of flash than an arrow function: its `prototype`, and the prototype
 * object with its `constructor`. Functions that use `this` are left alone. Calling one above its definition fails in
 * the linker: reorder the source.
 */
const withArrows = (code) =>
  code.replace(FUNCTION, (whole, head, body) =>
    NEEDS_FUNCTION.test(body) ? whole : `const ${head.replace("(", " = (")} => {\n${body}};`,
  );

/**
 * Rewrites esbuild's output to a form that takes less flash, line by line, so that the source map stays valid. esbuild
 * emits `var` for the `const`, `let` and `class` of a module, while the linker must see that they are never reassigned.
 * Throws if one is reassigned.
 */
export async function forFlash(code) {
  const constant = withArrows(code).replace(/^var /gm, "const ");
  // A constant without a value is an error here; reassigning one is a warning.
  const { warnings } = await transform(constant, { format: "esm", logLevel: "silent" });
  const [warning] = warnings;
  if (warning) throw new Error(`${warning.text} ${warning.location?.lineText.trim() ?? ""}`);
  return constant;
}

/**
 * Inlines numbers and short texts throughout their module (esbuild inlines only those that precede everything else),
 * and folds the expressions that use them. Each would take a slot of flash, plus one for every function that uses it.
 * Functions are not inlined: inside another function they would be created in RAM at each call.
 * @returns {Promise<{ code: string, map: string }>}
 */
export async function foldConstants(code, map) {
  const { code: folded, map: traced } = await minify(code, {
    module: true,
    mangle: false,
    compress: { defaults: false, evaluate: true, reduce_vars: true, reduce_funcs: false, unused: true, passes: 3 },
    format: { beautify: true, comments: /^ \S+\.ts$/ },
    sourceMap: map === undefined ? false : { content: map, filename: "firmware.js" },
  });
  return { code: folded ?? "", map: typeof traced === "string" ? traced : "" };
}

/** @returns {Promise<Map<string, string>>} file contents by name */
async function bundle(entry, plugins) {
  const { outputFiles = [] } = await build({
    ...OPTIONS,
    entryPoints: [entry],
    external: Object.keys(PLATFORM),
    plugins,
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
}

/**
 * `without`: platform modules that the board lacks. `firmware`: the source whose exports go into flash.
 * @returns {Promise<Map<string, string>>} file contents by name
 */
export async function bundleDevice({ without = [], firmware = "src/firmware.ts" } = {}) {
  const files = await bundle({ in: firmware, out: "firmware" }, [
    withoutParts(without),
    indexed(firmware),
    esbuildModules,
  ]);
  const { code, map } = await foldConstants(await forFlash(files.get("firmware.js")), files.get("firmware.js.map"));
  files.set("firmware.js", reuseNames(code)).set("firmware.js.map", map);
  return new Map([...files, ...(await bundle({ in: "src/main.ts", out: "main" }, [firmwareByName]))]);
}

/** Writes the files to build/device. */
export async function writeDeviceBundle(what) {
  mkdirSync(OUTPUT, { recursive: true });
  for (const [name, text] of await bundleDevice(what)) writeFileSync(join(OUTPUT, name), text);
}
