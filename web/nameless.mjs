/**
 * Takes the names out of the texts, which would be there once a language: a language's file has its texts in the order of `page.names`, and a file
 * with the texts of all languages has names in those of the first one only. named.ts puts them in again.
 */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { transform } from "esbuild";
import { root } from "../host-sim/specifiers.mjs";

const TEXTS = /[\\/]web[\\/]texts[\\/](?:later[\\/])?[\w-]+\.ts$/;
const FIRST = "en";

/** @typedef {any} Node of ESTree */

/** @returns {Promise<Node>} */
async function parse(path) {
  const { code } = await transform(readFileSync(path, "utf8"), { loader: "ts", charset: "utf8" });
  const { minify } = await import("terser");
  const format = /** @type {any} */ ({ spidermonkey: true, ast: true, code: false });
  const result = /** @type {any} */ (await minify(code, { module: true, compress: false, mangle: false, format }));
  return result.ast;
}

async function print(tree) {
  const { minify } = await import("terser");
  const parse = /** @type {any} */ ({ spidermonkey: true });
  return (await minify(tree, { module: true, parse, compress: false, mangle: false })).code ?? "";
}

/** The variables of a module: their declarators by name. */
const variablesOf = ({ body }) =>
  new Map(
    body
      .map((statement) => statement.declaration ?? statement)
      .flatMap(({ declarations = [] }) => declarations.map((one) => [one.id.name, one])),
  );

/** The table that a node is, or that the variable it names holds; undefined: it is a text. */
const tableOf = (node, variables) => {
  const value = node.type === "Identifier" ? variables.get(node.name)?.init : node;
  return value?.type === "ObjectExpression" ? value : undefined;
};

const nameOf = ({ key }) => String(key.name ?? key.value);

/** The names in a table, as an object with those of the tables in it; in the order in which an object has them. */
const namesIn = (table, variables) =>
  Object.fromEntries(
    table.properties.map((property) => {
      const inner = tableOf(property.value, variables);
      // An empty one is a text as a whole: another language has what the first does without.
      return [nameOf(property), inner?.properties.length ? namesIn(inner, variables) : 0];
    }),
  );

/** The values of a table in the order of `names`. */
function valuesIn(table, names, variables) {
  const values = new Map(table.properties.map((property) => [nameOf(property), property.value]));
  const wanted = Object.entries(names);
  if (wanted.length !== values.size)
    throw new Error(`web/nameless.mjs: ${[...values.keys()].join()} are not the names`);
  const elements = wanted.map(([name, inner]) => {
    const value = values.get(name);
    if (!value) throw new Error(`web/nameless.mjs: there is no ${name}`);
    return inner ? valuesIn(tableOf(value, variables), inner, variables) : value;
  });
  return { type: "ArrayExpression", elements };
}

/** Names are put in where the texts are used, not where they are declared: a build that does not use them is rid of them. */
const named = (values) => ({
  type: "CallExpression",
  callee: { type: "Identifier", name: "named" },
  arguments: [{ type: "Identifier", name: FIRST }, values],
});

/** The node with `by` in place of the variable: as it is, or as a branch of a condition. */
function replaced(node, name, by) {
  if (node.type === "Identifier" && node.name === name) return by;
  if (node.type !== "ConditionalExpression") return node;
  const { consequent, alternate } = node;
  return { ...node, consequent: replaced(consequent, name, by), alternate: replaced(alternate, name, by) };
}

/** Puts `by` in place of the variable into the table of all languages. */
function replace(variables, name, by) {
  for (const { id, init } of variables.values())
    if (init?.type === "ObjectExpression" && id.name !== FIRST)
      init.properties = init.properties.map((property) => ({
        ...property,
        shorthand: false,
        value: replaced(property.value, name, by),
      }));
  variables.get(name).init = { type: "Literal", value: null };
}

/** @param {readonly string[]} languages */
export async function nameless(languages) {
  const first = await parse(`${root}web/texts/${FIRST}.ts`);
  const names = namesIn(tableOf({ type: "Identifier", name: FIRST }, variablesOf(first)), variablesOf(first));

  /** The module without the names that another language, or the app, has. */
  async function without(path) {
    const tree = await parse(path);
    const variables = variablesOf(tree);
    const isLater = dirname(path).endsWith("later");
    const of = isLater ? tableOf({ type: "Identifier", name: FIRST }, variables) : undefined;
    const wanted = of ? namesIn(of, variables) : names;
    for (const language of languages) {
      const variable = variables.get(language);
      if (!variable || (isLater && language === FIRST)) continue;
      const values = valuesIn(variable.init, wanted, variables);
      if (isLater) replace(variables, language, named(values));
      else variable.init = values;
    }
    return `${isLater ? 'import { named } from "../../named";' : ""}${await print(tree)}`;
  }

  /** @type {import("esbuild").Plugin} */
  const plugin = {
    name: "texts without their names",
    setup(build) {
      build.onLoad({ filter: TEXTS }, async ({ path }) => ({
        contents: await without(path),
        loader: "js",
        resolveDir: dirname(path),
      }));
    },
  };
  return { plugin, names: listed(names) };
}

/** "a,b{c,d}": shorter than JSON. */
const listed = (names) =>
  Object.entries(names)
    .map(([name, inner]) => (inner ? `${name}{${listed(inner)}}` : name))
    .join();
