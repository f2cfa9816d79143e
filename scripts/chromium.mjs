import { existsSync } from "node:fs";

/** Where Debian installs them. The first, headless only, takes half the processor time. */
const PROGRAMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** Path of the browser for tests and pictures; CHROMIUM names another. */
export const chromiumPath = process.env.CHROMIUM ?? PROGRAMS.find((path) => existsSync(path)) ?? PROGRAMS[0];
