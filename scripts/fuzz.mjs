import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

await setUp();
const { bundle } = await import("./bundle.mjs");
const { status } = spawnSync("node", [await bundle("test/fuzz/main.ts", "fuzz"), ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
