import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

await setUp();

/** Everything that is checked without running the product. All run, so that one look shows all there is to mend. */
const CHECKS = [
  ["types: firmware", "tsc", "-p", "."],
  ["types: host simulator", "tsc", "-p", "host-sim"],
  ["types: tests", "tsc", "-p", "test"],
  ["lint", "eslint", "--max-warnings", "0", "."],
  ["format", "prettier", "--check", "--log-level", "warn", "."],
  ["import direction", "depcruise", "src", "modules", "host-sim"],
  ["API reference", "redocly", "lint", "docs/openapi.yaml"],
];

const failed = CHECKS.filter(([name, command, ...parameters]) => {
  const { status } = spawnSync(`node_modules/.bin/${command}`, parameters, { stdio: "inherit" });
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name}`);
  return status !== 0;
});
process.exitCode = failed.length ? 1 : 0;
