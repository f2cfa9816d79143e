/** Where a function's instructions lead, and how many variables it has at each of them. */

/** Nothing follows these. */
const LAST = /^(?:END(?:_.*)?|RETURN|THROW|RETHROW)$/;

/** By how many variables the function's scope grows. */
function growth({ name, operand }) {
  if (/^NEW_(?:LOCAL|CLOSURE|TEMPORARY)$/.test(name)) return 1;
  if (name === "RETRIEVE_1") return operand[0];
  return name === "UNWIND_1" ? -operand[0] : 0;
}

/** These change the scope, and are in no bytecode of this firmware. */
const UNKNOWN = /^(?:RETRIEVE_2|UNWIND_2|WITH|WITHOUT|EVAL.*|.*_LOCAL_2|.*_CLOSURE_2|STORE_2|USED.*|USING.*)$/;

/**
 * @param {readonly import("./bytecode.mjs").Instruction[]} list
 * @returns {import("./flow.mjs").Flow} Throws for what is not understood
 */
export function flowOf(list) {
  const places = new Map(list.map((each, at) => [each, at]));
  const target = (each) => places.get(each.to) ?? -1;
  const next = list.map((each, at) => {
    if (LAST.test(each.name)) return [];
    if (each.name === "BRANCH" || each.name === "CODE") return [target(each)];
    return each.to ? [at + 1, target(each)] : [at + 1];
  });
  /** @type {(number | undefined)[]} */
  const variables = [];
  const reach = (from, count) => {
    const left = [{ at: from, count }];
    for (let on = left.pop(); on; on = left.pop()) {
      const each = list[on.at];
      if (!each || UNKNOWN.test(each.name)) throw new Error(`bytecode has ${each?.name ?? "no end"}`);
      if (variables[on.at] === undefined) {
        variables[on.at] = on.count;
        const after = on.count + growth(each);
        left.push(...(next[on.at] ?? []).map((at) => ({ at, count: after })));
      } else if (variables[on.at] !== on.count && !LAST.test(each.name))
        throw new Error(`${each.name} has ${on.count} variables, or others`);
    }
  };
  reach(0, 0);
  // A function inside begins behind its CODE, with variables of its own. One inside an unreachable one is unreachable.
  list.forEach(({ name }, at) => name === "CODE" && variables[at] !== undefined && reach(at + 1, 0));
  return { next, variables };
}
