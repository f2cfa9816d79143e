/**
 * Makes the JavaScript that the device runs: build/device/firmware.js, which is linked into flash as it is after running (`preload`), and
 * build/device/main.js, which takes the firmware from there and starts it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, transform } from "esbuild";
import { minify } from "terser";
import { reuseNames } from "./device-names.mjs";
import { shortPrivates } from "./device-privates.mjs";
import { esbuildModules, PLATFORM, root } from "../host-sim/specifiers.mjs";

const OUTPUT = join(root, "build/device");

const OPTIONS = {
  absWorkingDir: root,
  outdir: OUTPUT,
  bundle: true,
  format: "esm",
  target: "es2023",
  charset: "utf8",
  legalComments: "none",
  // Beside it and not named in it: xsc reads one source of a map, and would show all lines in that. xsbug shows the bundle itself.
  sourcemap: "external",
  sourcesContent: false,
  // Constants become numbers where they are used, and what nothing can reach goes.
  minifySyntax: true,
  // Each name of a closure is a key in flash.
  minifyIdentifiers: true,
  logLevel: "warning",
  write: false,
};

/** What a board does not have is undefined in its firmware. */
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

/** A function at the top, from its first line to its last. */
const FUNCTION = /^function ([\w$]+\(.*\)) \{\n([\s\S]*?)^\}$/gm;
const NEEDS_FUNCTION = /\b(?:this|arguments|new\.target)\b/;

/**
 * A function that could be called with `new` holds three slots of flash more than an arrow function: its `prototype`, and the object there
 * with its `constructor`. One that uses `this` stays. A call before the line where it stands ends in an error of the linker: order the source.
 */
const withArrows = (code) =>
  code.replace(FUNCTION, (whole, head, body) =>
    NEEDS_FUNCTION.test(body) ? whole : `const ${head.replace("(", " = (")} => {\n${body}};`,
  );

/**
 * Makes of esbuild's code what lies in flash with less room, line by line, so that the source map stays right. esbuild has `var` for the
 * `const`, `let` and `class` of a module; the linker wants to be told that nothing changes there. Throws when something would.
 */
export async function forFlash(code) {
  const constant = withArrows(code).replace(/^var /gm, "const ");
  // A constant without a value is an error here, another value for it a warning.
  const { warnings } = await transform(constant, { format: "esm", logLevel: "silent" });
  const [warning] = warnings;
  if (warning) throw new Error(`${warning.text} ${warning.location?.lineText.trim() ?? ""}`);
  return constant;
}

/**
 * Puts numbers and short texts in the place of their names wherever they stand in their module (esbuild: only those before everything else), and
 * works out what is made of them. Each would be a slot of flash, and one more for each function that uses it. Functions stay where they are: inside
 * another they would be made, in RAM, at each call.
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
  return { code: folded, map: traced };
}

/** @returns {Promise<Map<string, string>>} the names and texts of the files */
async function bundle(entry, plugins) {
  const { outputFiles } = await build({ ...OPTIONS, entryPoints: [entry], external: Object.keys(PLATFORM), plugins });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
}

/**
 * `without`: the platform's modules that the board does not have. `firmware`: the source whose exports lie in flash.
 * @returns {Promise<Map<string, string>>} the names and texts of the files
 */
export async function bundleDevice({ without = [], firmware = "src/firmware.ts" } = {}) {
  const files = await bundle({ in: firmware, out: "firmware" }, [withoutParts(without), shortPrivates, esbuildModules]);
  const { code, map } = await foldConstants(await forFlash(files.get("firmware.js")), files.get("firmware.js.map"));
  files.set("firmware.js", reuseNames(code)).set("firmware.js.map", map);
  return new Map([...files, ...(await bundle({ in: "src/main.ts", out: "main" }, [firmwareByName]))]);
}

/** Writes them to build/device. */
export async function writeDeviceBundle(what) {
  mkdirSync(OUTPUT, { recursive: true });
  for (const [name, text] of await bundleDevice(what)) writeFileSync(join(OUTPUT, name), text);
}
