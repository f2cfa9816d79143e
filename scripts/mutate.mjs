/**
 * npm run mutate -- PATH… [option of StrykerJS…]: mutates folders and files of src/ and modules/ and reports the
 * mutants that survive the tests in the folder of the same name in test/ and in those of TESTED_BESIDE. Report: build/mutation/NAME/report.html.
 * Fails below 90 %.
 */
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { setUp } from "./setup.mjs";

const USAGE = "usage: npm run mutate -- PATH… [option of StrykerJS…]   PATH: src/NAME, modules/NAME or a file in one";

/** Folders whose tests another tests, too: the packs of a bank are tested on its line. */
const TESTED_BESIDE = { packs: ["bms"] };

/** Name of the folder and of its tests' folder. */
const nameOf = (path) => /^(?:src|modules)\/([^/]+)(?:\/.+)?$/.exec(path)?.[1];

function fail(message) {
  console.error(message);
  process.exit(2);
}

const given = process.argv.slice(2).map((argument) => argument.replace(/\/$/, ""));
const firstOption = given.findIndex((argument) => argument.startsWith("-"));
const paths = firstOption < 0 ? given : given.slice(0, firstOption);
if (!paths.length) fail(USAGE);
for (const path of paths) {
  const name = nameOf(path);
  if (!name || !existsSync(path)) fail(`${path}: no such folder or file of src/ or modules/\n${USAGE}`);
  if (!existsSync(`test/${name}`)) fail(`${path}: there is no test/${name}`);
}
await setUp({ tests: [...new Set(paths.map((path) => `test/${nameOf(path)}/`))] });

// An example has its test in test/system.
const mutate = paths.map((path) => (statSync(path).isDirectory() ? `${path}/**/*.ts,!${path}/example/**` : path));
const names = [...new Set(paths.map(nameOf))];
const tested = [...new Set(names.flatMap((name) => [name, ...(TESTED_BESIDE[name] ?? [])]))];
const { status } = spawnSync(
  "node_modules/.bin/stryker",
  ["run", "test/mutation/stryker.config.mjs", "--mutate", mutate.join(","), ...given.slice(paths.length)],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      MUTATE_TESTS: tested.map((name) => `test/${name}/**/*.test.ts`).join(","),
      MUTATE_OUT: `build/mutation/${names.join("+")}`,
    },
  },
);
process.exitCode = status ?? 1;
