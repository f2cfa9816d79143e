/** npm run test:xs-linux: builds the firmware with the Moddable SDK and runs the whole-system suites against that program. */
import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

await setUp({ tests: true });
const { buildLinuxForTests } = await import("./xs-linux-tests.mjs");
const BMS_PROGRAM = await buildLinuxForTests();
const { status } = spawnSync(
  "node_modules/.bin/vitest",
  ["run", "--config", "test/xs-linux/vitest.config.mjs", ...process.argv.slice(2)],
  { stdio: "inherit", env: { ...process.env, BMS_PROGRAM } },
);
process.exitCode = status ?? 1;
