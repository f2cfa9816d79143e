import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

await setUp();
const { buildPage } = await import("./page.mjs");
const { buildDemo } = await import("../web-sim/build.mjs");
const { bundle } = await import("./bundle.mjs");
await buildPage();
await buildDemo();
const program = await bundle("test/bench/demo.ts", "bench-demo");
const { status } = spawnSync("node", [program, ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = status ?? 1;
