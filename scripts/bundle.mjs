/** Bundles a TypeScript program of this repository for Node, with the simulator standing in for the platform. */
import { build } from "esbuild";
import { esbuildPlatform } from "../host-sim/specifiers.mjs";

/** @returns {Promise<string>} the path of the bundle */
export async function bundle(entry, out) {
  const outfile = `build/${out}.mjs`;
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    packages: "external",
    plugins: [esbuildPlatform],
    logLevel: "warning",
  });
  return outfile;
}
