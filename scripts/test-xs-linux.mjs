/** npm run test:xs-linux: builds the firmware and the HTTP server with the Moddable SDK and runs the whole-system suites against these programs. */
import { spawnSync } from "node:child_process";
import { setUp } from "./setup.mjs";

await setUp({ tests: [] });
const { buildHttpForTests, buildLinuxForTests } = await import("./xs-linux-tests.mjs");
const programs = { BMS_PROGRAM: await buildLinuxForTests(), HTTP_PROGRAM: await buildHttpForTests() };
const { status } = spawnSync(
  "node_modules/.bin/vitest",
  ["run", "--config", "test/xs-linux/vitest.config.mjs", ...process.argv.slice(2)],
  { stdio: "inherit", env: { ...process.env, ...programs } },
);
process.exitCode = status ?? 1;
