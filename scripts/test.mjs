/**
 * npm test: the checks, then every test. With arguments (vitest's: part of a path, -t NAME, --coverage) only the
 * matching tests.
 */
import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

const parameters = process.argv.slice(2);
await setUp({ tests: parameters });
const succeeds = (command, ...words) => spawnSync(command, words, { stdio: "inherit" }).status === 0;
const isChecked = parameters.length > 0 || succeeds(process.execPath, "scripts/check.mjs");
const isTested = succeeds("node_modules/.bin/vitest", "run", ...parameters);
if (!isChecked) console.error("Some checks failed: see above the tests, or npm run check.");
process.exitCode = isChecked && isTested ? 0 : 1;
