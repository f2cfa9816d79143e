/**
 * Makes the JavaScript that the device runs: build/device/firmware.js, which is linked into flash as it is after running (`preload`), and
 * build/device/main.js, which takes the firmware from there and starts it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, transform } from "esbuild";
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

/**
 * esbuild makes `var` of the `const`, `let` and `class` of a module. In flash nothing can change, and the linker wants to be told so.
 * Line by line, so that the source map stays right. Throws when one of them is given a value later.
 */
export async function withConstants(code) {
  const constant = code.replace(/^var /gm, "const ");
  // A constant without a value is an error here, another value for it a warning.
  const { warnings } = await transform(constant, { format: "esm", logLevel: "silent" });
  const [warning] = warnings;
  if (warning) throw new Error(`${warning.text} ${warning.location?.lineText.trim() ?? ""}`);
  return constant;
}

/** @returns {Promise<[string, string][]>} the names and texts of the files */
async function bundle(entry, plugins) {
  const { outputFiles } = await build({ ...OPTIONS, entryPoints: [entry], external: Object.keys(PLATFORM), plugins });
  return Promise.all(
    outputFiles.map(async ({ path, text }) => [
      basename(path),
      path.endsWith(".js") ? await withConstants(text) : text,
    ]),
  );
}

/**
 * `without`: the platform's modules that the board does not have. `firmware`: the source whose exports lie in flash.
 * @returns {Promise<Map<string, string>>} the names and texts of the files
 */
export async function bundleDevice({ without = [], firmware = "src/firmware.ts" } = {}) {
  return new Map([
    ...(await bundle({ in: firmware, out: "firmware" }, [withoutParts(without), esbuildModules])),
    ...(await bundle({ in: "src/main.ts", out: "main" }, [firmwareByName])),
  ]);
}

/** Writes them to build/device. */
export async function writeDeviceBundle(what) {
  mkdirSync(OUTPUT, { recursive: true });
  for (const [name, text] of await bundleDevice(what)) writeFileSync(join(OUTPUT, name), text);
}
