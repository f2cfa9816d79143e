/**
 * Ends a run on a Node.js that is too old with one sentence. Imported for its effect, before anything that such a
 * version cannot load; the minimum is in package.json, `engines`.
 */
import { readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const minimum = engines.node.replace(">=", "");

const [major = 0, minor = 0] = minimum.split(".").map(Number);
const [ownMajor = 0, ownMinor = 0] = process.versions.node.split(".").map(Number);
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  console.error(`This needs Node.js ${minimum} or newer, and this is ${process.versions.node}: https://nodejs.org`);
  process.exit(1);
}
