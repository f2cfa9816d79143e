import "./setup/node-version.mjs";
import { parseArgs } from "node:util";
import { buildPage } from "./page.mjs";
import { setUp } from "./setup.mjs";

// The simulator parses the remaining command line.
const { engine } = parseArgs({ options: { engine: { type: "string" } }, strict: false }).values;
await setUp({ all: false, xs: engine === "xs" });
await buildPage();
const { bundle } = await import("./bundle.mjs");
await import(`../${await bundle("host-sim/main.ts", "host-sim")}`);
