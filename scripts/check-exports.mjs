/** Fails for exports that nobody needs: exports.mjs. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { root } from "../host-sim/root.mjs";
import { deadExports } from "./exports.mjs";
import { PARTS } from "./parts.mjs";

const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx", "*.mjs", "*.js"];
const { stdout } = spawnSync("git", listed, { cwd: root, encoding: "utf8" });
const paths = stdout.split("\n").filter((path) => path && existsSync(root + path));

/** With the reason. */
const NEEDED = new Map([["web/texts/pt.ts: pt", "loaded by the language's name (web/build.mjs)"]]);

const dead = deadExports(new Map(paths.map((path) => [path, readFileSync(root + path, "utf8")])), {
  isProduct: (path) => /^(?:src|modules|web)\/.*\.tsx?$/.test(path),
  isTest: (path) => path.startsWith("test/"),
  standIns: new Map(Object.values(PARTS).flatMap((files) => files.map(([source, other]) => [other, source]))),
});
const found = new Map(dead.map(({ path, name, why }) => [`${path}: ${name}`, why]));
for (const [what, why] of found) if (!NEEDED.has(what)) console.error(`${what}: ${why}`);
for (const what of NEEDED.keys()) if (!found.has(what)) console.error(`${what}: is used, or gone: not to be listed`);
process.exitCode = found.size === NEEDED.size && [...found.keys()].every((what) => NEEDED.has(what)) ? 0 : 1;
