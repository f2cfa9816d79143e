/** Citations in code comments: files, headings of docs, constants, names. */
import { basename, dirname, join, normalize } from "node:path";
import ts from "typescript";
import { isForeign, isForeignFile, isForeignName } from "./foreign.mjs";
import { headingsOf } from "./markdown.mjs";

const PATH = /(?<![\w/.-])((?:src|modules|host-sim|web|test|scripts|docs|boards|linux|types|examples)\/[\w./-]*\w)/g;
const FILE = /(?<![\w/.<-])([\w-]+\.(?:md|ts|tsx|mjs|mts|c|h|ya?ml|csv))\b/g;
const HEADINGS = /(docs\/[\w-]+\.md),? ((?:"[^"]+"(?:, | and )?)+)/g;
const CONSTANT = /\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g;
const NAME = /`([A-Za-z_$][\w$]*)(?:\(\))?`/g;
const CLASS = /(?<![\w`"/.<-])([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)\b(?!\.\w)/g;
/** Platform methods are not names of this code base. */
const PLATFORM = /\b(?:Timer|Time|Object|Math|Array|JSON|Number|String)\.\w+/g;

/** Comments of a JavaScript or TypeScript source, and the words outside them. */
export function readSource(path, text) {
  const comments = [];
  const words = new Set();
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false, kindOf(path));
  const seen = new Set();
  let code = "";
  let last = 0;
  const take = (ranges) => {
    for (const { pos, end } of ranges ?? [])
      if (!seen.has(pos)) {
        seen.add(pos);
        comments.push({ pos, end, text: text.slice(pos, end) });
      }
  };
  const visit = (node) => {
    take(ts.getLeadingCommentRanges(text, node.getFullStart()));
    take(ts.getTrailingCommentRanges(text, node.getEnd()));
    ts.forEachChild(node, visit);
  };
  visit(source);
  take(ts.getLeadingCommentRanges(text, source.endOfFileToken.getFullStart()));
  comments.sort((one, other) => one.pos - other.pos);
  for (const { pos, end } of comments) {
    code += text.slice(last, pos);
    last = end;
  }
  code += text.slice(last);
  for (const [word] of code.replace(PLATFORM, "").matchAll(/[A-Za-z_$][\w$]*/g)) words.add(word);
  const imports = [...code.matchAll(/from "([^"]+)"/g)].map(([, specifier]) => specifier);
  return { comments, words, imports };
}

function kindOf(path) {
  if (path.endsWith(".tsx")) return ts.ScriptKind.TSX;
  return path.endsWith(".ts") ? ts.ScriptKind.TS : ts.ScriptKind.JS;
}

const lineOf = (text, position) => text.slice(0, position).split("\n").length;

/** Citations in comments that do not resolve. */
export function brokenComments(repository, paths) {
  const sources = new Map(paths.map((path) => [path, readSource(path, repository.files.get(path))]));
  const everywhere = new Set();
  const byFolder = new Map();
  for (const [path, { words }] of sources) {
    const folder = byFolder.get(dirname(path)) ?? new Set();
    byFolder.set(dirname(path), folder);
    for (const word of words) {
      everywhere.add(word);
      folder.add(word);
    }
  }
  for (const path of repository.paths(".c", ".h", ".json", ".csv", ".defaults"))
    for (const [word] of repository.files.get(path).matchAll(/[A-Za-z_$][\w$]*/g)) everywhere.add(word);

  const problems = [];
  for (const [path, { comments, words, imports }] of sources) {
    const near = [words, byFolder.get(dirname(path)), ...imported(path, imports, byFolder)];
    for (const { pos, text } of comments) {
      const wrong = (what) =>
        problems.push(`${path}:${lineOf(repository.files.get(path), pos)}: the comment cites ${what}`);
      for (const [, name] of text.matchAll(PATH))
        if (
          !name.includes("NAME") &&
          !repository.has(name) &&
          !repository.has(join(dirname(path), name)) &&
          !isForeign(name) &&
          !startsSome(repository, name)
        )
          wrong(`${name}, which is not there`);
      for (const [, name] of text.matchAll(FILE))
        if (!repository.names.has(basename(name)) && !isForeignFile(name)) wrong(`${name}, which is not there`);
      for (const [, file, list] of text.replace(/\n \* /g, " ").matchAll(HEADINGS)) {
        const headings = headingsOf(repository.files.get(file) ?? "");
        for (const [, heading] of list.matchAll(/"([^"]+)"/g))
          if (!headings.includes(heading)) wrong(`"${heading}" of ${file}, which has no such heading`);
      }
      for (const [, name] of text.matchAll(CONSTANT))
        if (!everywhere.has(name) && !isForeignName(name)) wrong(`${name}, which no code has`);
      for (const [, name] of text.matchAll(CLASS))
        if (!everywhere.has(name) && !isForeignName(name)) wrong(`${name}, which no code has`);
      // Declarations of SDK modules describe the SDK.
      if (path.startsWith("types/")) continue;
      for (const [, name] of text.matchAll(NAME))
        if (
          !near.some((set) => set.has(name)) &&
          !(/[A-Z_]/.test(name) && everywhere.has(name)) &&
          !isForeignName(name)
        )
          wrong(`\`${name}\`, which the code around does not have`);
    }
  }
  return problems;
}

/** Words in the folders that a source imports from. */
function imported(path, imports, byFolder) {
  return imports.flatMap((specifier) => {
    const target = specifier.startsWith(".")
      ? normalize(join(dirname(path), dirname(specifier)))
      : `modules/${dirname(specifier)}`;
    return byFolder.get(target) ?? [];
  });
}

const startsSome = (repository, name) => [...repository.files.keys()].some((file) => file.startsWith(`${name}.`));
