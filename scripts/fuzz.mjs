import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

/** By the first parameter; without one of these all that comes in over the network, on Node. */
const PROGRAMS = { xs: "xs", doors: "doors-main", faults: "faults-main" };

await setUp();
const { bundle } = await import("./bundle.mjs");
const parameters = process.argv.slice(2);
const name = PROGRAMS[parameters[0]] ?? "main";
if (name !== "main") parameters.shift();
if (name === "xs" || process.env.ENGINE === "xs") (await import("./xs-engine.mjs")).installXsEngine();
const program = await bundle(`test/fuzz/${name}.ts`, `fuzz-${name}`);
const { status } = spawnSync("node", [program, ...parameters], { stdio: "inherit" });
process.exitCode = status ?? 1;
