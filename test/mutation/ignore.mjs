/** A plugin of StrykerJS: what makes no difference on Node is not mutated. */
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";

/** The second argument of `Object.freeze(table, true)` is XS's own: lint asks for it, Node has none. */
const isDeep = ({ parent, key }) => parent?.type === "CallExpression" && key === 1 && isFreeze(parent.callee);

const isFreeze = ({ object, property }) => object?.name === "Object" && property?.name === "freeze";

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "deep-freeze", {
    shouldIgnore: (/** @type {any} */ path) =>
      path.isBooleanLiteral() && isDeep(path) ? "XS's own argument" : undefined,
  }),
];
