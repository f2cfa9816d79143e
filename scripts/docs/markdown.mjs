/** Links, commands and paths in Markdown. */
import { dirname, join, normalize } from "node:path";
import { isForeign, isForeignFile } from "./foreign.mjs";

const FENCE = /^(```+)(\w*)\n([\s\S]*?)^\1$/gm;
const FOLDERS = "src|modules|host-sim|web|test|scripts|docs|boards|linux|types|examples";

/** GitHub's own pages of a repository, by a link relative to a file shown at /blob/BRANCH/. */
const ON_GITHUB = /^\.\.\/\.\.\/(?:releases|issues\/new\/choose|security)$/;

/** GitHub's anchor for a heading. */
export function anchorOf(heading) {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

export function headingsOf(text) {
  return [...text.replace(FENCE, "").matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading]) => heading);
}

/** Broken links to files and headings of the repository. */
export function brokenLinks(repository, path) {
  const text = repository.files.get(path).replace(FENCE, "");
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/(?:src|href)="([^"]+)"/g)];
  return targets.flatMap(([, target]) => {
    if (/^(https?:|mailto:)/.test(target)) return [];
    const [file, anchor] = target.split("#");
    const to = file ? normalize(join(dirname(path), decodeURI(file))).replace(/\/$/, "") : path;
    if (ON_GITHUB.test(to)) return [];
    if (to !== "." && !repository.has(to)) return [`${path}: the link ${target} leads nowhere`];
    if (anchor === undefined) return [];
    const linked = repository.files.get(to);
    if (!to.endsWith(".md") || linked === undefined) return [];
    const anchors = headingsOf(linked).map(anchorOf);
    return anchors.includes(anchor) ? [] : [`${path}: ${to} has no heading #${anchor}`];
  });
}

/** Shell code blocks and inline code. */
function commandsOf(text) {
  const blocks = [...text.matchAll(FENCE)].filter(([, , language]) => language === "sh" || language === "");
  const inline = [...text.replace(FENCE, "").matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
  return [...blocks.flatMap(([, , , code]) => code.split("\n")), ...inline];
}

/**
 * Commands that cannot work: unknown npm scripts, missing scripts and paths, and options that `npm start` does not
 * have.
 */
export function brokenCommands(repository, path, { scripts, options }) {
  const problems = [];
  for (const line of commandsOf(repository.files.get(path))) {
    const command = line.replace(/(^|\s)#.*$/, "");
    for (const [, name] of command.matchAll(/\bnpm run ([\w:-]+)/g))
      if (scripts[name] === undefined) problems.push(`${path}: there is no npm script ${name}`);
    for (const [, name] of command.matchAll(/\bnode ((?:scripts|examples|test|web)\/[\w./-]+)/g))
      if (!repository.has(name)) problems.push(`${path}: there is no ${name} to run`);
    if (/^\s*npm start\b/.test(command))
      for (const [, name] of command.matchAll(/\s(--[a-z][\w-]*)/g))
        if (!options.includes(name)) problems.push(`${path}: npm start has no option ${name}`);
    if (/^\s*npm test -- /.test(command))
      for (const [, name] of command.matchAll(/\s(test\/[\w./-]+)/g))
        if (![...repository.files.keys()].some((file) => file.startsWith(name)))
          problems.push(`${path}: no test has the path ${name}`);
  }
  return problems;
}

/** A file named without its folder, alone in inline code. */
const FILE = /`([\w.-]+\.(?:md|ts|tsx|mjs|mts|c|h|js|py|sh|json|ya?ml|csv))`/g;

/** Paths and names of files in inline code that do not exist in this repository. */
export function brokenPaths(repository, path) {
  const text = repository.files.get(path).replace(FENCE, "");
  const here = dirname(path);
  const files = [...text.matchAll(FILE)].flatMap(([, name]) =>
    repository.names.has(name) || isForeignFile(name) ? [] : [`${path}: there is no ${name}`],
  );
  const paths = [...text.matchAll(new RegExp(`\`((?:${FOLDERS})/[\\w./-]*)\``, "g"))].flatMap(([, code]) => {
    const name = code.replace(/\/$/, "");
    return repository.has(name) || repository.has(join(here, name)) || isForeign(name)
      ? []
      : [`${path}: there is no ${code}`];
  });
  return [...files, ...paths];
}
