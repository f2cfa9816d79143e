import { existsSync } from "node:fs";

/** As Debian installs them. The first is Chromium without windows and takes half the processor time. */
const PROGRAMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** Path of the browser for tests and pictures; CHROMIUM names another. */
export const chromiumPath = process.env.CHROMIUM ?? PROGRAMS.find((path) => existsSync(path)) ?? PROGRAMS[0];
