/** Builds the Linux programs for the tests: the firmware bundled with the tests' probes, and the HTTP server alone. */
import { buildLinux } from "./moddable.mjs";

/** @returns {Promise<string>} the program */
export const buildLinuxForTests = (passes) =>
  buildLinux("test/xs-linux/manifest.json", { firmware: "test/xs-linux/firmware.ts" }, passes);

/** @returns {Promise<string>} the program */
export const buildHttpForTests = (passes) =>
  buildLinux("test/xs-linux/http-server/manifest.json", { firmware: "test/xs-linux/http-server/firmware.ts" }, passes);
