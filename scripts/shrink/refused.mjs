/**
 * What the firmware's bundle must not contain, because a pass or the linker's stripping does not carry it. Lint rejects most of it in the
 * sources; esbuild, terser or a package may write it all the same.
 */
import { readFileSync } from "node:fs";
import ts from "typescript";

const { strip } = JSON.parse(readFileSync(`${import.meta.dirname}/../../manifest.json`, "utf8"));
/** Globals without which the engine is built: `RegExp`, `Iterator`, … */
const STRIPPED = new Set(strip.filter((name) => name !== "*").map((name) => name.split(".")[0]));
/** Methods of a string that end the program without `RegExp`. Its method for searching is not found here: other objects have one of that name. */
const OF_REGEXP = new Set(["match", "matchAll"]);
const BY_NAME = "runs a text, whose names the passes do not see";

const isMember = (node, { parent } = node) =>
  (ts.isPropertyAccessExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isAccessor(parent)) &&
  parent.name === node;

/** Top-level functions without a prototype: `arrows` makes them. */
const arrowsOf = ({ statements }) =>
  new Set(
    statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .filter(({ initializer }) => initializer && ts.isArrowFunction(initializer))
      .map(({ name }) => name.text),
  );

/** @param {any} node @param {Set<string>} arrows @returns {string | undefined} */
function reason(node, arrows) {
  if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) return "the engine is built without regular expressions";
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && arrows.has(node.expression.text))
    return "new calls a function that has become an arrow function";
  if (!ts.isIdentifier(node)) return undefined;
  const { text } = node;
  if (isMember(node)) return OF_REGEXP.has(text) ? "the engine is built without regular expressions" : undefined;
  if (text === "arguments")
    return "links the engine's part for it. esbuild writes it for a class with a field that extends another: write its constructor";
  if (text === "eval" || text === "Function") return BY_NAME;
  return STRIPPED.has(text) ? "the engine is built without it (strip in manifest.json)" : undefined;
}

/** @param {string} code the firmware's bundle. Throws for the first thing that it must not contain. */
export function refuse(code) {
  const file = ts.createSourceFile("firmware.js", code, ts.ScriptTarget.ES2023, true, ts.ScriptKind.JS);
  const arrows = arrowsOf(file);
  const visit = (node) => {
    const why = reason(node, arrows);
    if (why !== undefined) {
      const start = node.getStart(file);
      const [source = "the bundle"] =
        code
          .slice(0, start)
          .match(/(?<=^\/\/ )\S+\.ts$/gm)
          ?.slice(-1) ?? [];
      throw new Error(`${source}: ${node.getText(file).split("\n")[0]}: ${why} (scripts/shrink/README.md)`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}
