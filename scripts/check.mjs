import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { setUp } from "./setup.mjs";

await setUp();
const { buildWeb } = await import("../web/build.mjs");

/** All static checks. Every check runs, so that a single pass reports all problems. */
const CHECKS = [
  ["types: firmware", "tsc", "-p", "."],
  ["types: host simulator", "tsc", "-p", "host-sim"],
  ["types: tests", "tsc", "-p", "test"],
  ["types: page", "tsc", "-p", "web"],
  ["types: tests in the browser", "tsc", "-p", "test/browser"],
  ["types: tests in the browser with the simulator", "tsc", "-p", "test/browser/real"],
  ["lint", "eslint", "--max-warnings", "0", "."],
  ["format", "prettier", "--check", "--log-level", "warn", "."],
  ["import direction", "depcruise", "src", "modules", "host-sim"],
  ["API reference", "redocly", "lint", "docs/openapi.yaml"],
  ["workflows", process.execPath, "scripts/check-workflows.mjs"],
  ["docs and comments", process.execPath, "scripts/check-docs.mjs"],
];

/** Only if the SDK is installed. */
if (process.env.MODDABLE) CHECKS.push(["types: firmware, those of the SDK", process.execPath, "scripts/check-sdk.mjs"]);
else console.log("MODDABLE is not set: the firmware is not checked against the SDK's types.");

const failed = CHECKS.filter(([name, command, ...parameters]) => {
  const { status } = spawnSync(resolve("node_modules/.bin", command), parameters, { stdio: "inherit" });
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name}`);
  return status !== 0;
});

/** Also regenerates web/tables.ts, and fails if the page is too large. */
const page = await buildWeb().then(
  () => true,
  (error) => console.error(error.message),
);
console.log(`${page ? "ok  " : "FAIL"} size of the page`);
process.exitCode = failed.length || !page ? 1 : 0;
