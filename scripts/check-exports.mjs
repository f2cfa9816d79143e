/** Fails for exports that nobody needs: exports.mjs. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { root } from "../host-sim/root.mjs";
import { deadExports } from "./exports.mjs";
import { PARTS } from "./parts.mjs";

/** It has all limits, for the docs to cite. */
const FACTS = "scripts/docs/facts.mjs";

const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx", "*.mjs", "*.js", "*.md"];
const { stdout } = spawnSync("git", listed, { cwd: root, encoding: "utf8" });
const all = stdout.split("\n").filter((path) => path && existsSync(root + path));
const paths = all.filter((path) => !path.endsWith(".md") && path !== FACTS);
/** Names of limits in the docs. */
const cited = new Set(
  all
    .filter((path) => path.endsWith(".md"))
    .flatMap((path) => [...readFileSync(root + path, "utf8").matchAll(/<!--=(.*?)-->/g)])
    .flatMap(([, expression = ""]) => [...expression.matchAll(/\.(\w+)/g)].map(([, name]) => name)),
);

/** With the reason. */
const NEEDED = new Map([["web/texts/pt.ts: pt", "loaded by the language's name (web/build.mjs)"]]);

const dead = deadExports(new Map(paths.map((path) => [path, readFileSync(root + path, "utf8")])), {
  isProduct: (path) => /^(?:src|modules|web)\/.*\.tsx?$/.test(path),
  isTest: (path) => path.startsWith("test/"),
  standIns: new Map(Object.values(PARTS).flatMap((files) => files.map(([source, other]) => [other, source]))),
});
const found = new Map(
  dead.filter(({ name }) => !cited.has(name)).map(({ path, name, why }) => [`${path}: ${name}`, why]),
);
for (const [what, why] of found) if (!NEEDED.has(what)) console.error(`${what}: ${why}`);
for (const what of NEEDED.keys()) if (!found.has(what)) console.error(`${what}: is used, or gone: not to be listed`);
process.exitCode = found.size === NEEDED.size && [...found.keys()].every((what) => NEEDED.has(what)) ? 0 : 1;
