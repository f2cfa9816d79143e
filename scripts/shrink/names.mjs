/**
 * Each name that a function takes from an outer scope is a key in flash: a slot, its text, and an entry in two tables.
 * So is each property name. The top-level names of the bundle are therefore replaced by names that properties use anyway.
 */
import ts from "typescript";

/** Names in positions where they do not denote a variable. */
function isProperty(node) {
  const { parent } = node;
  if (ts.isBindingElement(parent) || ts.isImportSpecifier(parent)) return parent.propertyName === node;
  if (ts.isExportSpecifier(parent)) return parent.propertyName !== undefined && parent.name === node;
  if (ts.isPropertyAccessExpression(parent) || ts.isMetaProperty(parent)) return parent.name === node;
  if (ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent)) return true;
  const named =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isAccessor(parent);
  return named && parent.name === node;
}

/** Shorthand properties, which are both a property and a variable, are written out in full; not what stands behind one as its default. */
function isBoth(node) {
  const { parent } = node;
  if (parent.name !== node) return false;
  if (ts.isBindingElement(parent) || ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent))
    return parent.propertyName === undefined && !ts.isArrayBindingPattern(parent.parent);
  return ts.isShorthandPropertyAssignment(parent);
}

const isDeclaration = (node) => {
  const { parent } = node;
  return (
    parent.name === node &&
    (ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isBindingElement(parent) ||
      ts.isFunctionLike(parent) ||
      ts.isClassLike(parent) ||
      ts.isImportClause(parent) ||
      ts.isImportSpecifier(parent) ||
      ts.isNamespaceImport(parent))
  );
};

/** Whether a declaration is in module scope. */
function isAtTop({ parent }) {
  let declared = parent;
  while (ts.isBindingElement(declared) || ts.isObjectBindingPattern(declared) || ts.isArrayBindingPattern(declared))
    declared = declared.parent;
  if (ts.isImportClause(declared) || ts.isImportSpecifier(declared) || ts.isNamespaceImport(declared)) return true;
  if (ts.isFunctionDeclaration(declared) || ts.isClassDeclaration(declared)) return ts.isSourceFile(declared.parent);
  const statement = declared.parent.parent;
  return ts.isVariableDeclaration(declared) && ts.isVariableStatement(statement) && ts.isSourceFile(statement.parent);
}

/** Throws if a top-level name is shadowed: esbuild gives each declaration a unique name. */
export function reuseNames(code) {
  const file = ts.createSourceFile("firmware.js", code, ts.ScriptTarget.ES2023, true, ts.ScriptKind.JS);
  const properties = new Set();
  const variables = [];
  const top = new Set();
  const inside = new Set();
  const visit = (node) => {
    if (ts.isIdentifier(node)) {
      if (isProperty(node)) properties.add(node.text);
      else {
        variables.push(node);
        if (isDeclaration(node)) (isAtTop(node) ? top : inside).add(node.text);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const name of top) if (inside.has(name)) throw new Error(`${name} is declared twice.`);

  const taken = new Set(variables.map(({ text }) => text).filter((name) => !top.has(name)));
  const free = [...properties].filter(
    (name) => !taken.has(name) && ts.identifierToKeywordKind(ts.factory.createIdentifier(name)) === undefined,
  );
  const names = new Map();
  let made = 0;
  for (const name of top) {
    let other = free.shift();
    while (other === undefined || taken.has(other)) other = `$${made++}`;
    taken.add(other);
    names.set(name, other);
  }
  let result = "";
  let end = 0;
  for (const node of variables) {
    const name = names.get(node.text);
    if (name === undefined) continue;
    const start = node.getStart(file);
    result += code.slice(end, start);
    if (!isBoth(node)) result += name;
    else if (ts.isExportSpecifier(node.parent)) result += `${name} as ${node.text}`;
    else result += `${node.text}${ts.isImportSpecifier(node.parent) ? " as" : ":"} ${name}`;
    end = node.end;
  }
  return result + code.slice(end);
}
