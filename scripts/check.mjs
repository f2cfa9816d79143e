import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { setUp } from "./setup.mjs";

await setUp();
const { buildWeb } = await import("../web/build.mjs");

/** tsc's incremental build data. */
const CACHE = ".cache/checks";

/** A type check; later runs check only changed files and their dependents. */
const types = (folder) => [
  "tsc",
  "--incremental",
  "--tsBuildInfoFile",
  `${CACHE}/${folder === "." ? "firmware" : folder.replaceAll("/", "-")}.tsbuildinfo`,
  "-p",
  folder,
];

/** All static checks, the longest first. Every check runs, so that a single pass reports all problems. */
const CHECKS = [
  ["lint", "eslint", "--max-warnings", "0", "."],
  ["types: tests and host simulator", ...types("test")],
  // No cache: a cache file truncated by an interrupted run makes Prettier fail until it is deleted.
  ["format", "prettier", "--check", "--log-level", "warn", "."],
  ["types: tests in the browser", ...types("test/browser")],
  ["types: scripts", ...types("scripts")],
  ["types: page", ...types("web")],
  ["types: firmware", ...types(".")],
  ["import direction", "depcruise", "src", "modules", "host-sim", "web"],
  ["API reference", "redocly", "lint", "docs/openapi.yaml"],
  ["workflows", process.execPath, "scripts/check-workflows.mjs"],
  ["address of the project", process.execPath, "scripts/homepage.mjs", "--check"],
  ["third-party notices", process.execPath, "scripts/notices.mjs", "--check"],
  ["docs and comments", process.execPath, "scripts/check-docs.mjs"],
];

/** Only if the SDK is installed. */
if (process.env.MODDABLE) CHECKS.push(["types: firmware, those of the SDK", process.execPath, "scripts/check-sdk.mjs"]);
else console.log("MODDABLE is not set: the firmware is not checked against the SDK's types.");

/** Runs a check and prints its output when it has ended; resolves to whether it passed. */
const passes = (/** @type {string[]} */ [name, command = "", ...parameters]) =>
  new Promise((done) => {
    const check = spawn(resolve("node_modules/.bin", command), parameters, { stdio: ["ignore", "pipe", "pipe"] });
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

/** Also regenerates web/tables.ts, and fails if the page is too large. */
const page = await buildWeb().then(
  () => true,
  (error) => console.error(error.message),
);
console.log(`${page ? "ok  " : "FAIL"} size of the page`);
process.exitCode = page && results.every(Boolean) ? 0 : 1;
