/** Builds the Linux program that the tests run: the firmware with the tests' probes beside it. */
import { build } from "esbuild";
import { buildLinux } from "./moddable.mjs";

/** A source of the firmware as a test names it, and as a module of mcconfig. */
const SOURCE = /^(?:\.\.\/)+src\//;

/** As mcconfig wants it: JavaScript that imports modules by their names. */
const asModule = {
  name: "modules by name",
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === "entry-point" ? undefined : { path: path.replace(SOURCE, ""), external: true },
    );
  },
};

/** @returns {Promise<string>} the program */
export async function buildLinuxForTests() {
  await build({
    entryPoints: ["test/support/probes.ts"],
    outfile: "build/xs-linux/probes.js",
    bundle: true,
    format: "esm",
    target: "es2023",
    plugins: [asModule],
    logLevel: "warning",
  });
  return buildLinux("test/xs-linux/manifest.json");
}
