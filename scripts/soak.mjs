/** npm run soak: states of the platform in pairs, every nth failure, and virtual hours. See docs/testing.md. */
import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

await setUp();
const { bundle } = await import("./bundle.mjs");
// The part "house" is on XS in any case.
(await import("./xs-engine.mjs")).installXsEngine();
const program = await bundle("test/soak/main.ts", "soak");
const { status } = spawnSync("node", [program, ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = status ?? 1;
