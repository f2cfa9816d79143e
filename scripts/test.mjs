/**
 * npm test: the checks and every test, side by side: many tests mostly wait. With arguments (vitest's: part of a path, -t NAME,
 * --coverage) only the matching tests. npm run quick (--quick): the checks and the unit tests: no browser, no XS, no C, no whole product on V8.
 */
import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { setUp } from "./setup.mjs";

const QUICK = ["--project", "node", "--exclude", "test/system/**"];

const isQuick = process.argv[2] === "--quick";
const parameters = isQuick ? [...QUICK, ...process.argv.slice(3)] : process.argv.slice(2);
await setUp({ tests: isQuick ? process.argv.slice(3) : parameters });

/** Runs a program; resolves to whether it succeeded and, with "pipe", what it printed. */
const run = (stdio, command, ...words) =>
  new Promise((resolve) => {
    const child = spawn(command, words, { stdio: ["inherit", stdio, stdio] });
    // The checks take the time that the tests leave: these often wait for another process.
    if (stdio === "pipe" && child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (bytes) => said.push(bytes));
    child.on("error", (error) => said.push(Buffer.from(`${error.message}\n`)));
    child.on("close", (status) => resolve({ succeeded: status === 0, said: Buffer.concat(said) }));
  });

// Printed after the tests, whose report uses the whole terminal.
const checks = parameters.length > 0 && !isQuick ? undefined : run("pipe", process.execPath, "scripts/check.mjs");
const tests = await run("inherit", "node_modules/.bin/vitest", "run", ...parameters);
if (tests.said.length) process.stderr.write(tests.said);
if (checks) {
  const { succeeded, said } = await checks;
  process.stdout.write(said);
  if (!succeeded) console.error("Some checks failed: see above, or npm run check.");
}
process.exitCode = tests.succeeded && (await checks)?.succeeded !== false ? 0 : 1;
