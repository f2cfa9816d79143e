/**
 * npm run test:xs-linux [-- --plain[=pass,…]]: builds the firmware and the HTTP server with the Moddable SDK and runs the whole-system suites
 * against these programs.
 */
import { spawnSync } from "node:child_process";
import { buildLinux } from "./moddable.mjs";
import { setUp } from "./setup.mjs";
import { passesIn } from "./shrink/passes.mjs";

const { passes, rest } = passesIn(process.argv.slice(2));
await setUp({ tests: [] });
const { buildHttpForTests, buildLinuxForTests } = await import("./xs-linux-tests.mjs");
const programs = {
  BMS_PROGRAM: await buildLinuxForTests(passes),
  PRODUCT_PROGRAM: await buildLinux(undefined, undefined, passes),
  HTTP_PROGRAM: await buildHttpForTests(passes),
};
const { status } = spawnSync(
  "node_modules/.bin/vitest",
  ["run", "--config", "test/xs-linux/vitest.config.mjs", ...rest],
  { stdio: "inherit", env: { ...process.env, ...programs } },
);
process.exitCode = status ?? 1;
