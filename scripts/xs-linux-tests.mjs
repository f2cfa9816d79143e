/** Builds the Linux program for the tests: the firmware bundled with the tests' probes. */
import { buildLinux } from "./moddable.mjs";

/** @returns {Promise<string>} the program */
export const buildLinuxForTests = () =>
  buildLinux("test/xs-linux/manifest.json", { firmware: "test/xs-linux/firmware.ts" });
