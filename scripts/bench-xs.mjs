import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

await setUp();
const { installXsEngine } = await import("./xs-engine.mjs");
installXsEngine();
const { bundle } = await import("./bundle.mjs");
const program = await bundle("test/bench/xs/main.ts", "bench-xs");
const { status } = spawnSync("node", [program, ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = status ?? 1;
