import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { setUp } from "./setup.mjs";

await setUp();
const { buildWeb } = await import("../web/build.mjs");

/** The firmware's types; later runs check only changed files and their dependents. */
const FIRMWARE = ["tsc", "--incremental", "--tsBuildInfoFile", ".cache/checks/firmware.tsbuildinfo", "-p", "."];

/** All static checks, the longest first. Every check runs, so that a single pass reports all problems. */
const CHECKS = [
  ["lint; types: tests, host simulator, page, scripts", "scripts/check-code.mjs"],
  // No cache: a cache file truncated by an interrupted run makes Prettier fail until it is deleted.
  ["format", "prettier", "--check", "--log-level", "warn", "."],
  ["types: firmware", ...FIRMWARE],
  ["import direction", "depcruise", "src", "modules", "host-sim", "web"],
  ["import direction: the host in a browser", "depcruise", "--config", "web-sim/dependency-cruiser.cjs", "web-sim"],
  ["API reference", "redocly", "lint", "docs/openapi.yaml"],
  ["workflows", "scripts/check-workflows.mjs"],
  ["third-party notices", "scripts/notices.mjs", "--check"],
  ["docs and comments", "scripts/check-docs.mjs"],
  ["exports that nobody needs", "scripts/check-exports.mjs"],
  ["no secret in the history", "scripts/check-secrets.mjs"],
];

/** Young objects get more room before the garbage collector runs. */
const ROOM = ["--min-semi-space-size=64", "--max-semi-space-size=64"];

/** V8 optimizes functions later: programs that run once would not get back the time it takes. Node 22 has no such option. */
const LATER = ["--interrupt-budget=500000"];
const isKnown = (/** @type {string[]} */ options) =>
  spawnSync(process.execPath, [...options, "--version"]).status === 0;
const V8_OPTIONS = isKnown(LATER) ? [...ROOM, ...LATER] : ROOM;

/** Only if the SDK is installed. */
if (process.env.MODDABLE) CHECKS.push(["types: firmware, those of the SDK", "scripts/check-sdk.mjs"]);
else console.log("MODDABLE is not set: the firmware is not checked against the SDK's types.");

/** Runs a check and prints its output when it has ended; resolves to whether it passed. */
const passes = (/** @type {string[]} */ [name, program = "", ...parameters]) =>
  new Promise((done) => {
    const path = program.startsWith("scripts/") ? program : `node_modules/.bin/${program}`;
    const check = spawn(process.execPath, [...V8_OPTIONS, path, ...parameters], { stdio: ["ignore", "pipe", "pipe"] });
    const said = [];
    for (const stream of [check.stdout, check.stderr]) stream.on("data", (bytes) => said.push(bytes));
    check.on("error", (error) => said.push(Buffer.from(`${error.message}\n`)));
    check.on("close", (status) => {
      process.stdout.write(Buffer.concat(said));
      console.log(`${status === 0 ? "ok  " : "FAIL"} ${name}`);
      done(status === 0);
    });
  });

const results = [];
const waiting = [...CHECKS];
const work = async () => {
  for (let check = waiting.shift(); check; check = waiting.shift()) results.push(await passes(check));
};
await Promise.all(Array.from({ length: availableParallelism() }, work));

/** Also regenerates web/tables.ts. */
const page = await buildWeb().then(
  () => true,
  (error) => console.error(error.message),
);
console.log(`${page ? "ok  " : "FAIL"} page`);
process.exitCode = page && results.every(Boolean) ? 0 : 1;
