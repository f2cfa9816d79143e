/**
 * npm run bench:xs-linux: memory and speed of the firmware on the Moddable SDK's own XS, compared with the SDK's HTTP
 * server.
 */
import { spawnSync } from "node:child_process";
import { buildLinux } from "./moddable.mjs";
import { setUp } from "./setup.mjs";

await setUp({ tests: [] });
const { bundle } = await import("./bundle.mjs");
const programs = {
  BMS_PROGRAM: await buildLinux(),
  OUR_SERVER: await buildLinux("test/bench/xs-linux/our-server/manifest.json", {
    firmware: "modules/http-server/server.ts",
  }),
  SDK_SERVER: await buildLinux("test/bench/xs-linux/sdk-server/manifest.json", null),
};
const { status } = spawnSync(
  "node",
  [await bundle("test/bench/xs-linux/main.ts", "bench-xs-linux"), ...process.argv.slice(2)],
  { stdio: "inherit", env: { ...process.env, ...programs } },
);
process.exitCode = status ?? 1;
