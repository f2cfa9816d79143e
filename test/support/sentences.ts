/** Finds in the firmware's sources what is written for people. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What stands where a value is filled in: passes for a number, a name and a text. */
export const FILLED = "1";

export interface Sentence {
  /** From the root of the repository. */
  readonly file: string;
  readonly text: string;
}

const isCalled = ({ expression }: ts.CallExpression, ...names: string[]): boolean =>
  names.includes(ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText());

/** Errors whose messages are for people. */
const TOLD = ["Refused"];

/** For the console or the programmer. */
const isAside = (node: ts.Node): boolean =>
  (ts.isThrowStatement(node) &&
    !(ts.isNewExpression(node.expression) && TOLD.includes(node.expression.expression.getText()))) ||
  ts.isImportDeclaration(node) ||
  ts.isTypeNode(node) ||
  (ts.isCallExpression(node) && isCalled(node, "trace"));

/** Each text that `node` may stand for: one a branch, FILLED for what is not known here. */
function textsOf(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (!ts.isTemplateExpression(node)) return [FILLED];
  return node.templateSpans.reduce(
    (heads, { expression, literal }) =>
      heads.flatMap((head) => textsOf(expression).map((part) => head + part + literal.text)),
    [node.head.text],
  );
}

const isText = (node: ts.Node): node is ts.Expression => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

function visit(file: string, found: (node: ts.Node) => boolean): void {
  const source = ts.createSourceFile(file, readFileSync(root + file, "utf8"), ts.ScriptTarget.Latest, true);
  const walk = (node: ts.Node): void => {
    if (!isAside(node) && !found(node)) ts.forEachChild(node, walk);
  };
  walk(source);
}

/** A sentence ends with a full stop, or is several words that begin with a capital. */
const isSentence = (text: string): boolean =>
  /[A-Za-z].*[^\s.]\.$/.test(text) || /^[A-Z][a-z]+ [a-z]+( [a-z]+)*$/.test(text);

const filesOf = (place: string): string[] =>
  place.endsWith(".ts")
    ? [place]
    : readdirSync(root + place, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => `${place}/${name.replaceAll("\\", "/")}`);

/** The sentences in `places`: files, and folders with all that is in them. */
export function sentences(...places: string[]): Sentence[] {
  return places.flatMap(filesOf).flatMap((file) => {
    const texts: string[] = [];
    visit(file, (node) => {
      if (!isText(node)) return false;
      texts.push(...textsOf(node).filter(isSentence));
      return true;
    });
    return texts.map((text) => ({ file, text }));
  });
}

/** What the calls of `names` in `file` are given last. */
export function lastArguments(file: string, ...names: string[]): string[] {
  const texts: string[] = [];
  visit(file, (node) => {
    if (ts.isCallExpression(node) && isCalled(node, ...names)) {
      const last = node.arguments.at(-1);
      if (last) texts.push(...textsOf(last).filter((text) => text !== FILLED));
    }
    return false;
  });
  return texts;
}
