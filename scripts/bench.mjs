import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

await setUp();
const { bundle } = await import("./bundle.mjs");
/** Young generation large enough for a whole measurement, so that no collection disturbs it. */
const FLAGS = ["--expose-gc", "--max-semi-space-size=256", "--min-semi-space-size=256"];
const { status } = spawnSync(
  "node",
  [...FLAGS, await bundle("test/bench/main.ts", "bench"), ...process.argv.slice(2)],
  { stdio: "inherit" },
);
process.exitCode = status ?? 1;
