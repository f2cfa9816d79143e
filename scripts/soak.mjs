/**
 * npm run soak: states of the platform in pairs, every nth failure, virtual hours, random cases in large numbers, and all rows of what `npm test`
 * samples. See docs/testing.md.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setUp } from "./setup.mjs";

await setUp();
const parameters = process.argv.slice(2);
const at = parameters.indexOf("--part");
const part = at < 0 ? undefined : parameters[at + 1];

/** Of test/support/property.ts: so many times as many cases as in `npm test`, others every time, and all rows. */
const CASES = "20";

/** Properties with more cases, and tables of which `npm test` tries some rows. */
function cases() {
  const files = readdirSync("test", { recursive: true, encoding: "utf8" })
    .map((name) => `test/${name}`)
    .filter((name) => name.endsWith(".test.ts") && readFileSync(name, "utf8").includes("/support/property"));
  const env = { ...process.env, CASES, SEED: process.env.SEED ?? "new" };
  return spawnSync("node_modules/.bin/vitest", ["run", ...files], { stdio: "inherit", env }).status ?? 1;
}

async function platform() {
  const { bundle } = await import("./bundle.mjs");
  // The part "house" is on XS in any case.
  (await import("./xs-engine.mjs")).installXsEngine();
  const program = await bundle("test/soak/main.ts", "soak");
  return spawnSync("node", [program, ...parameters], { stdio: "inherit" }).status ?? 1;
}

if (part !== "cases") process.exitCode = await platform();
if (part === "cases" || parameters.length === 0) process.exitCode = cases() || process.exitCode;
