import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

await setUp({ tests: true });
const { status } = spawnSync("node_modules/.bin/vitest", ["run", "--coverage", ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
