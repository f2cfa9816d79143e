/**
 * Generates the parts of docs/openapi.yaml that derive from the catalogue, between `# Generated: <part>` and `# End`, and the table of conditions
 * of docs/api.md.
 * --check only compares (exit 1: out of date).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { complete, completeJson } from "./docs/generated.mjs";
import { setUp } from "./setup.mjs";

await setUp();
const prettier = await import("prettier");
const { Document, isScalar, visit } = await import("yaml");
const { bundle } = await import("./bundle.mjs");

const FILE = "docs/openapi.yaml";
const PART = /^( *)# Generated: (.*)\n[^]*?\n\1# End$/gm;

const { CONDITIONS_TABLES, PARTS } = await import(
  pathToFileURL(await bundle("scripts/openapi/parts.mjs", "openapi-parts")).href
);

const isLeaf = (item) => isScalar(item) || (isScalar(item.key) && isScalar(item.value));

/** Longest collection on one line, as JSON: Prettier breaks longer ones. */
const SHORT = 80;

/** YAML of a part. */
function yamlOf(name, part) {
  // For readers of YAML 1.1, off is false unless it is quoted.
  const document = new Document(JSON.parse(completeJson(`${FILE}, ${name}`, part)), { schema: "yaml-1.1" });
  visit(document.contents, {
    Collection(key, node) {
      if (key !== null && node.items.every(isLeaf)) node.flow = JSON.stringify(node).length <= SHORT;
    },
  });
  return document.toString({ lineWidth: 0 }).trimEnd();
}

const text = readFileSync(FILE, "utf8");
const left = new Set(Object.keys(PARTS));
const filled = text.replace(PART, (_, indent, name) => {
  if (!left.delete(name)) throw new Error(`${FILE}: there is no part ${name}, or it stands there twice`);
  const lines = yamlOf(name, PARTS[name]).replace(/^(?=.)/gm, indent);
  return `${indent}# Generated: ${name}\n${lines}\n${indent}# End`;
});
if (left.size) throw new Error(`${FILE} has no place for: ${[...left].join(", ")}`);

const API = "docs/api.md";
const CONDITIONS = /(?<=<!-- Generated: conditions -->\n)[^]*?(?=<!-- End -->)/g;
const api = readFileSync(API, "utf8");
const tables = [...CONDITIONS_TABLES];

for (const { file, before, after } of [
  { file: FILE, before: text, after: filled },
  { file: API, before: api, after: api.replace(CONDITIONS, () => `\n${tables.shift()}\n`) },
]) {
  const config = await prettier.resolveConfig(file);
  const fresh = await prettier.format(complete(file, after), { ...config, filepath: file });
  if (!process.argv.includes("--check")) writeFileSync(file, fresh);
  else if (fresh !== before) {
    console.error(`${file} is out of date: node scripts/openapi.mjs`);
    process.exitCode = 1;
  }
}
