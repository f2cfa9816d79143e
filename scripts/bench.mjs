import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

await setUp();
const { bundle } = await import("./bundle.mjs");
/** A young generation that holds a whole measurement, so that no collection falls into it. */
const FLAGS = ["--expose-gc", "--max-semi-space-size=256", "--min-semi-space-size=256"];
const { status } = spawnSync(
  "node",
  [...FLAGS, await bundle("test/bench/main.ts", "bench"), ...process.argv.slice(2)],
  { stdio: "inherit" },
);
process.exitCode = status ?? 1;
