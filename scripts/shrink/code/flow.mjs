/** Where a function's instructions lead, and which variables it has at each of them. */

/** Nothing follows these. */
const LAST = /^(?:END(?:_.*)?|RETURN|THROW|RETHROW)$/;

/** @typedef {import("./bytecode.mjs").Instruction} Instruction */

/** The scope behind an instruction. */
function scopeBehind(/** @type {readonly Instruction[]} */ scope, /** @type {Instruction} */ each) {
  const [count = 0] = each.operand;
  if (/^NEW_(?:LOCAL|CLOSURE|TEMPORARY)$/.test(each.name)) return [...scope, each];
  if (each.name === "RETRIEVE_1") return [...scope, ...Array.from({ length: count }, () => each)];
  return each.name === "UNWIND_1" ? scope.slice(0, scope.length - count) : scope;
}

/** These change the scope, and are in no bytecode of this firmware. */
const UNKNOWN = /^(?:RETRIEVE_2|UNWIND_2|WITH|WITHOUT|EVAL.*|.*_LOCAL_2|.*_CLOSURE_2|STORE_2|USED.*|USING.*)$/;

/**
 * @param {readonly Instruction[]} list
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
  /** @type {(readonly Instruction[] | undefined)[]} */
  const scopes = [];
  const reach = (start) => {
    const left = [{ at: start, scope: /** @type {readonly Instruction[]} */ ([]) }];
    for (let on = left.pop(); on; on = left.pop()) {
      const each = list[on.at];
      if (!each || UNKNOWN.test(each.name)) throw new Error(`bytecode has ${each?.name ?? "no end"}`);
      const before = scopes[on.at];
      if (!before) {
        scopes[on.at] = on.scope;
        const scope = scopeBehind(on.scope, each);
        left.push(...(next[on.at] ?? []).map((at) => ({ at, scope })));
      } else if (!LAST.test(each.name)) {
        const { scope } = on;
        if (before.length !== scope.length || before.some((its, at) => its !== scope[at]))
          throw new Error(`${each.name} has ${scope.length} variables, or others`);
      }
    }
  };
  reach(0);
  // A function inside begins behind its CODE, with variables of its own. One inside an unreachable one is unreachable.
  list.forEach(({ name }, at) => name === "CODE" && scopes[at] && reach(at + 1));
  return { next, scopes };
}
