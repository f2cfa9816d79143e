/** Finds user-facing texts in the firmware's sources. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Stands for an interpolated value: valid as a number, a name and a text. */
export const FILLED = "1";

export interface Sentence {
  /** Relative to the repository's root. */
  readonly file: string;
  readonly text: string;
}

const isCalled = ({ expression }: ts.CallExpression, ...names: string[]): boolean =>
  names.includes(ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText());

/** Error classes with user-facing messages. */
const TOLD = ["Refused"];

/** Not user-facing: for the console or the programmer. */
const isAside = (node: ts.Node): boolean =>
  (ts.isThrowStatement(node) &&
    !(ts.isNewExpression(node.expression) && TOLD.includes(node.expression.expression.getText()))) ||
  ts.isImportDeclaration(node) ||
  ts.isTypeNode(node) ||
  (ts.isCallExpression(node) && isCalled(node, "trace"));

/** All texts that `node` may produce: one per branch, with FILLED for values unknown here. */
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

/** A sentence ends with a full stop, or has several words and starts with a capital. */
const isSentence = (text: string): boolean =>
  /[A-Za-z].*[^\s.]\.$/.test(text) || /^[A-Z][a-z]+ [a-z]+( [a-z]+)*$/.test(text);

const filesOf = (place: string): string[] =>
  place.endsWith(".ts")
    ? [place]
    : readdirSync(root + place, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => `${place}/${name.replaceAll("\\", "/")}`);

/** The sentences in `places`: files, or folders with all their content. */
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

/** The last arguments of calls to `names` in `file`. */
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
