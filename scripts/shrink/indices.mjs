/**
 * Iterators and patterns take much bytecode: xsc emits 132 bytes for a `for` with `of`, 53 for one with an index, and 125 for an array
 * pattern with one name, 18 for an index. Where the compiler knows that an array is meant, both do the same, so the device gets the latter.
 * An object pattern becomes accesses to properties, some 5 bytes less for each name.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { root } from "../../host-sim/specifiers.mjs";
import { shortenPrivates } from "./privates.mjs";

const TYPED_ARRAY = /^(?:Uint8|Int8|Uint16|Int16|Uint32|Int32|Float32|Float64)Array$/;

/**
 * The firmware, as the compiler sees it.
 * @param {string} firmware
 * @param {(source: string) => string} change before it does
 */
function programOf(firmware, change) {
  const config = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path));
  const { options, fileNames } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const standard = ts.createCompilerHost({ ...options, noEmit: true }, true);
  const host = { ...standard };
  host.getSourceFile = (path, ...rest) =>
    path.endsWith(".ts") && !path.endsWith(".d.ts") && !path.includes("/node_modules/")
      ? ts.createSourceFile(path, change(readFileSync(path, "utf8")), ts.ScriptTarget.ES2023, true)
      : standard.getSourceFile(path, ...rest);
  return ts.createProgram(
    [...fileNames.filter((name) => name.endsWith(".d.ts")), firmware],
    { ...options, noEmit: true },
    host,
  );
}

/**
 * Whether every value of the type is an array: an index then gives what its iterator does.
 * @param {import("typescript").TypeChecker} checker
 * @param {import("typescript").Type} type
 */
function isArray(checker, type) {
  if (type.isUnion()) return type.types.every((one) => isArray(checker, one));
  return checker.isArrayType(type) || checker.isTupleType(type) || TYPED_ARRAY.test(type.symbol?.name ?? "");
}

/** Evaluating it twice does nothing. */
const isSimple = (node) => ts.isIdentifier(node) || node.kind === ts.SyntaxKind.ThisKeyword;

/** Only names, with neither defaults nor a rest. */
const isPlain = (pattern) =>
  pattern.elements.length > 0 &&
  pattern.elements.every(
    (element) =>
      ts.isOmittedExpression(element) ||
      (!element.initializer &&
        !element.dotDotDotToken &&
        ts.isIdentifier(element.name) &&
        (!element.propertyName || ts.isIdentifier(element.propertyName))),
  );

const isInFunction = (node) => ts.findAncestor(node, ts.isFunctionLike) !== undefined;

/**
 * Source text of a file for the device. Each line stays where it is.
 * @param {import("typescript").SourceFile} file
 * @param {import("typescript").TypeChecker} checker
 */
function rewritten(file, checker) {
  let made = 0;
  const textOf = (node) => render(node, node.getStart(file), node.end);
  const namesOf = (pattern, value) =>
    pattern.elements
      .map((element, index) => {
        if (ts.isOmittedExpression(element)) return "";
        const name = element.name.text;
        return ts.isArrayBindingPattern(pattern)
          ? `${name} = ${value}[${index}]`
          : `${name} = ${value}.${(element.propertyName ?? element.name).text}`;
      })
      .filter(Boolean)
      .join(", ");
  const lines = (text) => "\n".repeat(text.split("\n").length - 1);

  /** Declarations in place of one with a pattern, or undefined. */
  function declared(node) {
    const { name, initializer } = node;
    if (ts.isIdentifier(name) || !initializer || !isPlain(name) || !isInFunction(node)) return undefined;
    if (ts.isArrayBindingPattern(name) && !isArray(checker, checker.getTypeAtLocation(initializer))) return undefined;
    const bound = name.elements.filter((element) => !ts.isOmittedExpression(element)).length;
    if (!bound) return undefined;
    const value = textOf(initializer);
    const gone = lines(name.getText(file));
    if (isSimple(initializer)) return namesOf(name, value) + gone;
    if (bound === 1) return namesOf(name, `(${value})`) + gone;
    const whole = `$$${made++}`;
    return `${whole} = ${value}, ${namesOf(name, whole)}${gone}`;
  }

  /** A loop with an index in place of one with an iterator, or undefined. */
  function loop(node) {
    const { initializer, expression, statement } = node;
    if (node.awaitModifier || !ts.isVariableDeclarationList(initializer)) return undefined;
    const [declaration] = initializer.declarations;
    if (!declaration) return undefined;
    const { name } = declaration;
    const kind = initializer.flags & ts.NodeFlags.Const ? "const" : "let";
    if (!isArray(checker, checker.getTypeAtLocation(expression))) return undefined;
    const all = `$$${made++}`;
    const index = `$$${made++}`;
    const item = `${all}[${index}]`;
    let one = `${kind} ${textOf(name)} = ${item};`;
    if (!ts.isIdentifier(name) && isPlain(name)) {
      const elementType = checker.getIndexTypeOfType(checker.getTypeAtLocation(expression), ts.IndexKind.Number);
      if (ts.isObjectBindingPattern(name) || (elementType && isArray(checker, elementType))) {
        const whole = `$$${made++}`;
        one = `${kind} ${whole} = ${item}, ${namesOf(name, whole)};${lines(name.getText(file))}`;
      }
    }
    const body = ts.isBlock(statement)
      ? render(statement, statement.getStart(file) + 1, statement.end)
      : `${replaced(statement) ?? textOf(statement)} }`;
    return `for (let ${all} = ${textOf(expression)}, ${index} = 0; ${index} < ${all}.length; ${index}++) { ${one} ${body}`;
  }

  function replaced(node) {
    if (ts.isVariableDeclaration(node) && !ts.isForOfStatement(node.parent.parent)) return declared(node);
    return ts.isForOfStatement(node) ? loop(node) : undefined;
  }

  /** The text from `start` to `end`, inside of `node`, with what its children become. */
  function render(node, start, end) {
    let text = "";
    let at = start;
    const visit = (child) => {
      const from = child.getStart(file);
      if (from < at || child.end > end) return;
      const instead = replaced(child) ?? render(child, from, child.end);
      text += file.text.slice(at, from) + instead;
      at = child.end;
    };
    ts.forEachChild(node, visit);
    return text + file.text.slice(at, end);
  }
  return render(file, 0, file.end);
}

/** @type {Map<string, import("typescript").Program>} */
const programs = new Map();

/**
 * A source with shorter names of private members, with indices, or with both.
 * @param {string} path absolute
 * @param {string} firmware the source that is bundled: absolute, or from the root of the repository
 * @param {{ privates?: boolean, indices?: boolean }} passes
 */
export function sourceOf(path, firmware, { privates = true, indices = true } = {}) {
  const key = `${firmware} ${String(privates)}`;
  let program = programs.get(key);
  if (!program) {
    const change = privates ? shortenPrivates : (/** @type {string} */ source) => source;
    programs.set(key, (program = programOf(resolve(root, firmware), change)));
  }
  const file = program.getSourceFile(path);
  if (!file) throw new Error(`${path} is not a part of ${firmware}`);
  return indices ? rewritten(file, program.getTypeChecker()) : file.text;
}
