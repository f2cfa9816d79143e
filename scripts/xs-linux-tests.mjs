/** Builds the Linux program that the tests run: the firmware with the tests' probes in its bundle. */
import { buildLinux } from "./moddable.mjs";

/** @returns {Promise<string>} the program */
export const buildLinuxForTests = () =>
  buildLinux("test/xs-linux/manifest.json", { firmware: "test/xs-linux/firmware.ts" });
