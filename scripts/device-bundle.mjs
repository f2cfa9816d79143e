/**
 * Builds the JavaScript for the device: build/device/firmware.js, which is run at link time and placed in flash
 * (`preload`), and build/device/main.js, which starts it from there.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, transform } from "esbuild";
import { esbuildModules, PLATFORM, root } from "../host-sim/specifiers.mjs";
import { leaveOut } from "./parts.mjs";
import { PASSES } from "./shrink/passes.mjs";
import { refuse } from "./shrink/refused.mjs";
import { shrinkBundle, shrinkSources } from "./shrink/shrink.mjs";

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
  logLevel: "warning",
  write: false,
};

/** Modules that a board lacks are undefined in its firmware. */
const withoutModules = (specifiers) => ({
  name: "modules that the board does not have",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path }) => (specifiers.includes(path) ? { path, namespace: "none" } : undefined));
    onLoad({ filter: /.*/, namespace: "none" }, () => ({
      contents: "const none = undefined; export { none as default };",
    }));
  },
});

/** When the commit was made that is built; without git, what the source has. Not when it is built: the same commit is the same image. */
const ofCommit = {
  name: "when the firmware was made",
  setup({ onLoad }) {
    onLoad({ filter: /\/sntp\/built\.ts$/ }, () => {
      const { stdout } = spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" });
      return Number(stdout) ? { contents: `export const BUILT = ${Number(stdout)};`, loader: "ts" } : undefined;
    });
  },
};

const firmwareByName = {
  name: "the firmware is a module of its own",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/firmware$/ }, () => ({ path: "firmware", external: true }));
  },
};

/**
 * esbuild emits `var` for the `const`, `let` and `class` of a module, while the linker must see that they are never reassigned: otherwise it
 * warns, and each takes 4 bytes of RAM. Lines stay where they are. Throws if one is reassigned.
 */
export async function withConstants(code) {
  const constant = code.replace(/^var /gm, "const ");
  // A constant without a value is an error here; reassigning one is a warning.
  const { warnings } = await transform(constant, { format: "esm", logLevel: "silent" });
  const [warning] = warnings;
  if (warning) throw new Error(`${warning.text} ${warning.location?.lineText.trim() ?? ""}`);
  return constant;
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
 * `missing`: platform modules that the board lacks. `without`: parts that it does without, parts.mjs. `firmware`: the source whose exports go
 * into flash. `passes`: those of shrink/README.md. Throws if the bundle contains what these do not carry.
 * @returns {Promise<Map<string, string>>} file contents by name
 */
export async function bundleDevice({ missing = [], without = [], firmware = "src/firmware.ts", passes = PASSES } = {}) {
  const files = await bundle({ in: firmware, out: "firmware" }, [
    withoutModules(missing),
    ofCommit,
    leaveOut(without),
    ...shrinkSources(firmware, passes),
    esbuildModules,
  ]);
  const bundled = await withConstants(files.get("firmware.js") ?? "");
  const { code, map } = await shrinkBundle({ code: bundled, map: files.get("firmware.js.map") ?? "" }, passes);
  // The first names the source, the second reads what the passes have made.
  refuse(bundled);
  refuse(code);
  files.set("firmware.js", code).set("firmware.js.map", map);
  return new Map([...files, ...(await bundle({ in: "src/main.ts", out: "main" }, [firmwareByName]))]);
}

/** Writes the files to build/device. */
export async function writeDeviceBundle(what) {
  mkdirSync(OUTPUT, { recursive: true });
  for (const [name, text] of await bundleDevice(what)) writeFileSync(join(OUTPUT, name), text);
}
