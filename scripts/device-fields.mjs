/**
 * Each member of FIELDS (modules/jk-bms/fields.ts) takes some 150 bytes of flash. Those that the firmware does not use are left out of the
 * device's bundle.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../host-sim/specifiers.mjs";

const parse = (text) => ts.createSourceFile("fields.ts", text, ts.ScriptTarget.ES2023, true, ts.ScriptKind.TS);

/**
 * Names of the members of FIELDS that a source uses.
 * @throws if it uses FIELDS in any other way: what is left out would be missed on the device only
 * @returns {string[]}
 */
export function fieldsIn(text) {
  const names = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) && node.text === "FIELDS") {
      const { parent } = node;
      if (ts.isPropertyAccessExpression(parent) && parent.expression === node) names.push(parent.name.text);
      else if (!ts.isImportSpecifier(parent) && !(ts.isVariableDeclaration(parent) && parent.name === node))
        throw new Error(`Not a member of FIELDS by its name: ${parent.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  if (text.includes("FIELDS")) visit(parse(text));
  return names;
}

/** @returns {ReadonlySet<string>} names of the members of FIELDS that the firmware uses */
export const usedFields = () =>
  new Set(
    ["src", "modules"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts"))
        .flatMap((path) => fieldsIn(readFileSync(join(root, folder, path), "utf8"))),
    ),
  );

/** The source of FIELDS with the members in `used` alone, in the same lines. */
export function withFields(text, used) {
  let result = text;
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === "FIELDS") {
      const [table] = /** @type {ts.CallExpression} */ (node.initializer).arguments;
      for (const member of /** @type {ts.ObjectLiteralExpression} */ (table).properties)
        if (!used.has(member.name?.getText())) {
          const end = text.indexOf(",", member.end) + 1;
          result = result.slice(0, member.getStart()) + " ".repeat(end - member.getStart()) + result.slice(end);
        }
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(text));
  return result;
}

/** @type {import("esbuild").Plugin} */
export const onlyUsedFields = {
  name: "fields of the BMS that the firmware uses",
  setup(build) {
    build.onLoad({ filter: /modules\/jk-bms\/fields\.ts$/ }, ({ path }) => ({
      contents: withFields(readFileSync(path, "utf8"), usedFields()),
      loader: "ts",
    }));
  },
};
