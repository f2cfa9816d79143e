/** Bundles a TypeScript program of this repository for Node, with the simulator in place of the platform. */
import { build } from "esbuild";
import { esbuildPlatform } from "../host-sim/specifiers.mjs";
import { replaceFile } from "./replace-file.mjs";

/** @returns {Promise<string>} path of the bundle */
export async function bundle(entry, out) {
  const outfile = `build/${out}.mjs`;
  const { outputFiles } = await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    packages: "external",
    plugins: [esbuildPlatform],
    logLevel: "warning",
  });
  replaceFile(outfile, outputFiles[0]?.contents ?? "");
  return outfile;
}
