/** Runs a bench of test/bench, named as the first argument, on Node and on XS. */
import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

await setUp();
const { installXsEngine } = await import("./xs-engine.mjs");
installXsEngine();
const { bundle } = await import("./bundle.mjs");
const [name, ...rest] = process.argv.slice(2);
const program = await bundle(`test/bench/${name}.ts`, `bench-${name}`);
for (const ENGINE of ["node", "xs"]) {
  const { status } = spawnSync("node", [program, ...rest], { stdio: "inherit", env: { ...process.env, ENGINE } });
  if (status !== 0) process.exit(status ?? 1);
}
