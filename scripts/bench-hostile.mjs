import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

await setUp();
const { installXsEngine } = await import("./xs-engine.mjs");
installXsEngine();
const { bundle } = await import("./bundle.mjs");
const program = await bundle("test/bench/hostile.ts", "bench-hostile");
for (const ENGINE of ["node", "xs"]) {
  const { status } = spawnSync("node", [program, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, ENGINE },
  });
  if (status !== 0) process.exit(status ?? 1);
}
