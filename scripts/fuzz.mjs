import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

await setUp();
const { bundle } = await import("./bundle.mjs");
const [first, ...rest] = process.argv.slice(2);
const onXs = first === "xs";
if (onXs) (await import("./xs-engine.mjs")).installXsEngine();
const program = await (onXs ? bundle("test/fuzz/xs.ts", "fuzz-xs") : bundle("test/fuzz/main.ts", "fuzz"));
const { status } = spawnSync("node", [program, ...(onXs ? rest : process.argv.slice(2))], { stdio: "inherit" });
process.exitCode = status ?? 1;
