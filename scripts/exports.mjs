/** Exports that nobody needs: what the product does not use is not exported, and what only the tests use is no part of it. */
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

/** What an import of everything uses: `import * as`, `import()`, `export *`, a file's path in a text of a script. */
const ALL = "*";

/** By name: a default is loaded by the name of its module. */
function isExported(statement) {
  const kinds = (ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []).map(({ kind }) => kind);
  return kinds.includes(ts.SyntaxKind.ExportKeyword) && !kinds.includes(ts.SyntaxKind.DefaultKeyword);
}

function namesIn(name) {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)));
}

/** Names that a statement declares and exports. */
function exportedBy(statement) {
  if (ts.isExportDeclaration(statement) && !statement.moduleSpecifier && statement.exportClause)
    return ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : [];
  if (!isExported(statement)) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
  return statement.name ? [statement.name.text] : [];
}

/** What a node takes from another module: its specifier and the names. */
function takenBy(node) {
  const from = node.moduleSpecifier?.text;
  if (ts.isImportDeclaration(node) && from) {
    const { namedBindings, name } = node.importClause ?? {};
    const named =
      namedBindings && ts.isNamedImports(namedBindings)
        ? namedBindings.elements.map((element) => (element.propertyName ?? element.name).text)
        : namedBindings
          ? [ALL]
          : [];
    return { from, names: [...named, ...(name ? ["default"] : [])] };
  }
  if (ts.isExportDeclaration(node) && from) {
    const { exportClause } = node;
    const isNamed = exportClause && ts.isNamedExports(exportClause);
    return {
      from,
      names: isNamed ? exportClause.elements.map(({ propertyName, name }) => (propertyName ?? name).text) : [ALL],
    };
  }
  if (ts.isStringLiteral(node) && /^(?:src|modules|web)\/.*\.tsx?$/.test(node.text))
    return { from: `/${node.text}`, names: [ALL] };
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    let { qualifier } = node;
    while (qualifier && ts.isQualifiedName(qualifier)) qualifier = /** @type {any} */ (qualifier.left);
    return { from: node.argument.literal["text"], names: [qualifier ? qualifier["text"] : ALL] };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && node.arguments[0]?.["text"])
    return { from: node.arguments[0]["text"], names: [ALL] };
  return undefined;
}

const isType = (statement) => ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);

/**
 * Exports of the product that nobody needs: a value that no other file imports, a type that nothing names, and what only tests use, not even
 * the rest of its own file.
 * @param {Map<string, string>} files texts by path in the repository
 * @param {object} which
 * @param {(path: string) => boolean} which.isProduct
 * @param {(path: string) => boolean} which.isTest
 * @param {Map<string, string>} which.standIns files with the exports of another, which is imported
 * @returns {{ path: string, name: string, why: string }[]}
 */
export function deadExports(files, { isProduct, isTest, standIns }) {
  const resolve = (path, from) => {
    if (from.startsWith("/")) return from.slice(1);
    const base = from.startsWith(".") ? normalize(join(dirname(path), from)) : `modules/${from}`;
    return [base, `${base}.ts`, `${base}.tsx`, base.replace(/\.js$/, ".ts")].find((one) => files.has(one));
  };
  /** By file: who uses a name. */
  const users = new Map();
  /** @type {{ path: string, name: string, isType: boolean, isUsedInside: boolean }[]} */
  const exported = [];
  for (const [path, text] of files) {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
    const counts = new Map();
    const visit = (node) => {
      if (ts.isIdentifier(node)) counts.set(node.text, (counts.get(node.text) ?? 0) + 1);
      const taken = takenBy(node);
      const to = taken && resolve(path, taken.from);
      if (to)
        for (const name of taken.names) users.set(`${to} ${name}`, (users.get(`${to} ${name}`) ?? new Set()).add(path));
      ts.forEachChild(node, visit);
    };
    visit(file);
    if (!isProduct(path)) continue;
    for (const statement of file.statements)
      for (const name of exportedBy(statement))
        exported.push({ path, name, isType: isType(statement), isUsedInside: counts.get(name) > 1 });
  }
  return exported.flatMap(({ path, name, isType, isUsedInside }) => {
    const imported = standIns.get(path) ?? path;
    const all = [name, ALL].flatMap((one) => [...(users.get(`${imported} ${one}`) ?? [])]);
    if (all.length === 0) return isType && isUsedInside ? [] : [{ path, name, why: "nothing imports it" }];
    return all.every(isTest) && !isUsedInside ? [{ path, name, why: "only tests use it" }] : [];
  });
}
