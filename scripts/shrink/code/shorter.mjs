/** Does with fewer bytes what xsc's bytecode does. What each rule may rely on is in xs/sources/xsRun.c. */
import { decode, encode } from "./bytecode.mjs";
import { flowOf } from "./flow.mjs";
import { proveCode } from "./proof.mjs";
import { effectOf } from "./stack.mjs";

/** @typedef {import("./bytecode.mjs").Instruction} Instruction */

/** Takes the place of an instruction that goes: a branch to it leads to the next. */
const GONE = "";

/** Changes `list`. */
function drop(list, ...places) {
  for (const at of places) Object.assign(list[at], { name: GONE, operand: [], to: undefined });
}

function withoutGone(list) {
  const ahead = new Map();
  let next;
  for (const each of list.toReversed()) {
    if (each.name !== GONE) next = each;
    ahead.set(each, next);
  }
  for (const each of list) if (each.to) each.to = ahead.get(each.to);
  return list.filter(({ name }) => name !== GONE);
}

const targetsOf = (list) => new Set(list.map(({ to }) => to));

/** Calls `rule` with the place of each run of instructions of these names, of which only the first is led to. */
function forEach(list, names, rule) {
  const targets = targetsOf(list);
  list.forEach((_, at) => {
    const run = names.map((name, index) => {
      const each = list[at + index];
      return each && name.test(each.name) && !(index && targets.has(each));
    });
    if (run.every(Boolean)) rule(at);
  });
}

/** `!0`, `!1` and `void 0`, as esbuild and terser write true, false and undefined; and what the engine does nothing for. */
function constants(list) {
  forEach(list, [/^INTEGER_1$/, /^NOT$/], (at) => {
    list[at] = Object.assign(list[at], { name: list[at].operand[0] ? "FALSE" : "TRUE", operand: [] });
    drop(list, at + 1);
  });
  forEach(list, [/^INTEGER_1$/, /^VOID$/], (at) => {
    Object.assign(list[at], { name: "UNDEFINED", operand: [] });
    drop(list, at + 1);
  });
  forEach(list, [/^REFRESH_LOCAL_1$/], (at) => drop(list, at));
}

const CHOICE = /^BRANCH_(?:ELSE|IF)$/;

/**
 * Where a value leads that `&&` or `||` has left on the stack, if nothing uses it but conditions: `choice` is the branch that was taken with
 * it, and is taken with it again.
 * @returns {Instruction | undefined}
 */
function destination(list, places, choice) {
  let { to } = choice;
  for (let steps = 0; steps < list.length && to; steps++) {
    const at = places.get(to);
    const [one, two, three] = list.slice(at, at + 3);
    if (one.name === "POP") return two;
    if (CHOICE.test(one.name)) return one.name === choice.name ? one.to : two;
    if (one.name !== "DUB" || !two || !CHOICE.test(two.name)) return undefined;
    if (two.name !== choice.name) return three?.name === "POP" ? list[at + 3] : undefined;
    to = two.to;
  }
  return undefined;
}

/** `a && b` in a condition: a need not be kept for its value. */
function conditions(list) {
  const places = new Map(list.map((each, at) => [each, at]));
  forEach(list, [/^DUB$/, CHOICE, /^POP$/], (at) => {
    const to = destination(list, places, list[at + 1]);
    if (!to) return;
    list[at + 1].to = to;
    drop(list, at, at + 2);
  });
}

/** `!a` in a condition is the other one. */
function negations(list) {
  forEach(list, [/^NOT$/, CHOICE], (at) => {
    const [, branch] = list.slice(at, at + 2);
    branch.name = branch.name === "BRANCH_IF" ? "BRANCH_ELSE" : "BRANCH_IF";
    drop(list, at);
  });
}

/** What nothing leads to, zeros behind the end too; but for the end, by which a function in flash is known. */
function unreachable(list) {
  const { scopes } = flowOf(list);
  list.forEach(({ name }, at) => !scopes[at] && !name.startsWith("END") && drop(list, at));
}

const STORES = /^(?:LET|VAR)_LOCAL_1$/;
/** The operand is a variable's number in its function's scope. */
const VARIABLE = /^(?:\w+_(?:CLOSURE|LOCAL|PRIVATE)|STORE)_1$/;
/** These need its name or its flags, or that it is not initialized. */
const NEEDS_MORE = /^(?:CONST|RESET)_LOCAL_1$|^STORE_1$/;

/** The variable of each instruction that has one, by what has made it. */
function variablesOf(list, /** @type {any} */ { scopes }) {
  return new Map(
    list.flatMap((each, at) =>
      VARIABLE.test(each.name) && scopes[at] ? [[each, scopes[at][each.operand[0] - 1]]] : [],
    ),
  );
}

/** Whether the variable that is made at `from` is used before anything is stored in it, or needs more than a value. */
function isMore(list, /** @type {any} */ { next, scopes }, from) {
  const made = list[from];
  const seen = new Set();
  const left = [{ at: from + 1, isStored: false }];
  for (let on = left.pop(); on; on = left.pop()) {
    const { at } = on;
    const key = `${at} ${on.isStored}`;
    if (seen.has(key) || !scopes[at].includes(made)) continue;
    seen.add(key);
    const { name, operand } = list[at];
    const isIts = VARIABLE.test(name) && scopes[at][operand[0] - 1] === made;
    const isStored = on.isStored || (isIts && STORES.test(name));
    if (isIts && (NEEDS_MORE.test(name) || !isStored)) return true;
    left.push(...next[at].map((to) => ({ at: to, isStored })));
  }
  return false;
}

/**
 * A variable that has a value before anything asks for it needs no name, by which the engine says that it has none yet: it is a temporary, of
 * which storing takes the value off the stack.
 */
function variables(list) {
  const flow = flowOf(list);
  const its = variablesOf(list, flow);
  const made = list.filter(({ name }, at) => name === "NEW_LOCAL" && flow.scopes[at] && !isMore(list, flow, at));
  for (const each of made) Object.assign(each, { name: "NEW_TEMPORARY", operand: [] });
  const plain = new Set(made);
  for (const each of list) if (STORES.test(each.name) && plain.has(its.get(each))) each.name = "SET_LOCAL_1";
}

/** A parameter that nothing else is stored in is read where it is. Its copy is not read any more then. */
function parameters(list) {
  const its = variablesOf(list, flowOf(list));
  const stores = new Map();
  for (const each of list)
    if (/^(?:PULL|SET)_LOCAL_1$/.test(each.name))
      stores.set(its.get(each), stores.has(its.get(each)) ? undefined : each);
  const targets = targetsOf(list);
  const numbers = new Map();
  let isBeginning = false;
  list.forEach((each, at) => {
    if (each.name.startsWith("BEGIN")) isBeginning = true;
    else if (each.to || targets.has(each)) isBeginning = false;
    const made = its.get(list[at + 1]);
    if (isBeginning && each.name === "ARGUMENT" && made?.name === "NEW_TEMPORARY" && stores.get(made) === list[at + 1])
      numbers.set(made, each.operand);
  });
  for (const each of list) {
    const operand = each.name === "GET_LOCAL_1" && numbers.get(its.get(each));
    if (operand) Object.assign(each, { name: "ARGUMENT", operand });
  }
}

/** An object whose members are stored in variables stays on the stack, in place of what it was made of, which nothing uses. */
function patterns(list) {
  const flow = flowOf(list);
  const stacks = stacksOf(list, flow);
  forEach(list, [/^DUB$/, /^TO_INSTANCE$/, /^PULL_LOCAL_1$/], (at) => {
    if (!isOnlyPopped(list, flow, stacks, at + 3, stacks[at].length)) return;
    drop(list, at);
    list[at + 2].name = "SET_LOCAL_1";
  });
}

/** Whether nothing but POP takes what is on the stack at a place, at this height. */
function isOnlyPopped(list, /** @type {any} */ { next }, stacks, from, height) {
  const seen = new Set();
  const left = [from];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const isTaken = stacks[at].length - (effectOf(list[at].name, list[at].operand[0])?.takes ?? 0) < height;
    if (isTaken && list[at].name !== "POP") return false;
    if (!isTaken) left.push(...next[at]);
  }
  return true;
}

const PURE = /^(?:ARGUMENT|FALSE|INTEGER_[124]|NULL|NUMBER|TRUE|UNDEFINED)$/;

/**
 * What each value on the stack is known to be: the temporary that has it, or the text of a constant.
 * @returns {any} undefined for what is not understood, or if ways meet that have left different numbers of values
 */
function stacksOf(list, /** @type {any} */ { next, scopes }) {
  if (list.some((each, at) => scopes[at] && !effectOf(each.name, each.operand[0] ?? 0))) return undefined;
  const its = variablesOf(list, { scopes });
  const stacks = [];
  const left = [];
  let isUnderstood = true;
  const behind = (at) => {
    const each = list[at];
    const variable = its.get(each);
    const stack = [...stacks[at]];
    if (each.name === "NEW_TEMPORARY" || each.name === "UNWIND_1") {
      const gone = each.name === "UNWIND_1" ? scopes[at].slice(-each.operand[0]) : [each];
      return stack.map((value) => (gone.includes(value) ? undefined : value));
    }
    if (PURE.test(each.name)) return [...stack, `${each.name} ${each.operand}`];
    if (each.name === "DUB") return [...stack, stack.at(-1)];
    if (each.name === "GET_LOCAL_1" && variable.name === "NEW_TEMPORARY") return [...stack, variable];
    if (/^(?:PULL|SET)_LOCAL_1$/.test(each.name)) {
      stack.pop();
      const others = stack.map((value) => (value === variable ? undefined : value));
      return each.name.startsWith("PULL")
        ? others
        : [...others, variable.name === "NEW_TEMPORARY" ? variable : undefined];
    }
    const { takes, puts } = /** @type {any} */ (effectOf(each.name, each.operand[0]));
    return [...stack.slice(0, stack.length - takes), ...Array.from({ length: puts })];
  };
  const reach = (at, stack) => {
    const before = stacks[at];
    if (before && before.length !== stack.length) {
      isUnderstood &&= list[at].name.startsWith("END");
      return;
    }
    const met = before ? before.map((value, index) => (value === stack[index] ? value : undefined)) : stack;
    if (before?.every((value, index) => value === met[index])) return;
    stacks[at] = met;
    left.push(at);
  };
  reach(0, []);
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    const each = list[at];
    const stack = behind(at);
    const unknown = stack.map(() => undefined);
    if (each.name === "CODE") reach(at + 1, []);
    for (const to of next[at]) {
      const isBranch = list[to] === each.to;
      if (each.name === "CATCH" && isBranch) reach(to, unknown);
      else if (each.name === "BRANCH_CHAIN") reach(to, [...stack.slice(0, -1), undefined]);
      else if (each.name === "BRANCH_COALESCE" && isBranch) reach(to, [...stack, undefined]);
      else reach(to, stack);
    }
  }
  return isUnderstood ? stacks : undefined;
}

/** What is on top of the stack already is doubled. */
function doubles(list) {
  const flow = flowOf(list);
  const stacks = stacksOf(list, flow);
  const its = variablesOf(list, flow);
  list.forEach((each, at) => {
    const top = stacks[at]?.at(-1);
    if (top === undefined || each.operand.length === 0) return;
    const isTop =
      each.name === "GET_LOCAL_1"
        ? top === its.get(each)
        : PURE.test(each.name) && top === `${each.name} ${each.operand}`;
    if (isTop) Object.assign(each, { name: "DUB", operand: [] });
  });
}

/** The functions in a list, those inside others too: the places of their instructions. */
function functionsIn(list) {
  const places = new Map(list.map((each, at) => [each, at]));
  const whole = { end: list.length, places: /** @type {number[]} */ ([]) };
  const found = [whole];
  const open = [whole];
  list.forEach((each, at) => {
    while (open.at(-1)?.end === at) open.pop();
    open.at(-1)?.places.push(at);
    if (each.name !== "CODE") return;
    const inner = { end: places.get(each.to) ?? 0, places: [] };
    found.push(inner);
    open.push(inner);
  });
  return found.map((each) => each.places);
}

/** A variable that is never read is not made: those behind it move down. */
function unread(list) {
  const flow = flowOf(list);
  const its = variablesOf(list, flow);
  const isStore = ({ name }) => /^(?:PULL|SET)_LOCAL_1$/.test(name);
  const read = new Set([...its].flatMap(([each, made]) => (isStore(each) ? [] : [made])));
  const gone = new Set(list.filter((each) => each.name === "NEW_TEMPORARY" && !read.has(each)));
  const count = (scope) => scope.filter((made) => !gone.has(made)).length;
  for (const places of functionsIn(list)) {
    const reserve = list[places.find((at) => list[at].name === "RESERVE_1") ?? -1];
    const most = Math.max(...places.map((at) => count(flow.scopes[at] ?? [])));
    if (reserve) Object.assign(reserve, most ? { operand: [most] } : { name: GONE, operand: [] });
  }
  list.forEach((each, at) => {
    const scope = flow.scopes[at] ?? [];
    const [number = 0] = each.operand;
    if (gone.has(each)) each.name = GONE;
    else if (gone.has(its.get(each)))
      Object.assign(each, { name: each.name.startsWith("PULL") ? "POP" : GONE, operand: [] });
    else if (its.has(each)) each.operand = each.operand.with(0, count(scope.slice(0, number)));
    else if (each.name === "UNWIND_1") {
      const left = count(scope.slice(-number));
      Object.assign(each, left ? { operand: [left] } : { name: GONE, operand: [] });
    }
  });
}

/** What is only taken off the stack again. */
function pops(list) {
  const its = variablesOf(list, flowOf(list));
  const isPure = (each) => PURE.test(each.name) || each.name === "DUB" || its.get(each)?.name === "NEW_TEMPORARY";
  const NAMES = /^(?:ARGUMENT|DUB|FALSE|GET_LOCAL_1|INTEGER_[124]|NULL|NUMBER|TRUE|UNDEFINED)$/;
  forEach(list, [NAMES, /^UNWIND_1$/, /^POP$/], (at) => isPure(list[at]) && drop(list, at, at + 2));
  forEach(list, [NAMES, /^POP$/], (at) => isPure(list[at]) && drop(list, at, at + 1));
  forEach(list, [/^DUB$/, /^GET_PROPERTY$/, /^PULL_LOCAL_1$/, /^POP$/], (at) => drop(list, at, at + 3));
}

/** What is on the stack or in the scope at the end need not be taken off. A branch to the end is an end. */
function ends(list) {
  for (let at = list.length - 2; at >= 0; at--) {
    const behind = list.slice(at + 1).find(({ name }) => name !== GONE);
    if (/^(?:POP|UNWIND_1)$/.test(list[at].name) && behind?.name.startsWith("END")) drop(list, at);
  }
}

/** A branch to a branch leads where that leads. */
function branches(list) {
  const places = new Map(list.map((each, at) => [each, at]));
  for (const each of list) {
    if (!/^BRANCH(?:_ELSE|_IF)?$/.test(each.name)) continue;
    for (let steps = 0; each.to?.name === "BRANCH" && steps < list.length; steps++) each.to = each.to.to;
    if (each.name !== "BRANCH") continue;
    if (each.to?.name.startsWith("END")) Object.assign(each, { name: each.to.name, to: undefined });
    else if (places.get(each.to) === places.get(each) + 1) drop(list, places.get(each));
  }
}

/** A value that is stored is taken off the stack, */
function stores(list) {
  forEach(list, [/^SET_(?:LOCAL|CLOSURE)_1$/, /^POP$/], (at) => {
    list[at].name = list[at].name.replace("SET", "PULL");
    drop(list, at + 1);
  });
}

/** or stays there, if it is needed again. */
function keeps(list) {
  const its = variablesOf(list, flowOf(list));
  forEach(list, [/^PULL_LOCAL_1$/, /^GET_LOCAL_1$/], (at) => {
    const variable = its.get(list[at]);
    if (variable !== its.get(list[at + 1]) || variable.name !== "NEW_TEMPORARY") return;
    list[at].name = "SET_LOCAL_1";
    drop(list, at + 1);
  });
}

/** A debugger shows the names of variables: its builds have the lines. */
const isForDebugger = (list) => list.some(({ name }) => name === "LINE");
const NAMELESS = [variables, parameters];
const REPEATED = [patterns, stores, keeps, doubles, pops, unread];
const LAST = [ends, branches, unreachable];

/**
 * @param {readonly number[]} code
 * @param {readonly import("./opcodes.mjs").Opcode[]} opcodes
 * @returns {number[]} as long, or shorter. Throws for what is no bytecode, or not understood.
 */
export function shorter(code, opcodes) {
  let list = decode(code, opcodes);
  if (!stacksOf(list, flowOf(list))) return [...code];
  const run = (rules) => {
    for (const rule of rules) {
      rule(list);
      list = withoutGone(list);
    }
  };
  run([constants, conditions, negations, negations, unreachable]);
  if (isForDebugger(list)) run([stores, keeps]);
  else {
    run(NAMELESS);
    for (let length = 0; length !== list.length;) {
      length = list.length;
      run(REPEATED);
    }
  }
  run(LAST);
  return encode(list, opcodes);
}

const CODE = /(\.kind = XS_CODE_X_KIND\}, \.value = \{ \.code = \{ \(txByte\*\)")([^"]*)(")/g;

/** Without the proof: the test of the proof changes what this makes. */
export function withShorterCode(source, opcodes) {
  return source.replace(CODE, (_, open, literal, close) => {
    if (!/^(?:\\x[\da-f]{2})*$/.test(literal)) throw new Error("mc.xs.c has a function of unknown form");
    const code = shorter([...Buffer.from(literal.replaceAll("\\x", ""), "hex")], opcodes);
    return open + code.map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("") + close;
  });
}

/** @returns {string} `mc.xs.c` with shorter bytecode. Throws if it is not as xsl writes it, or not the same. */
export function shortened(source, opcodes) {
  const made = withShorterCode(source, opcodes);
  proveCode(source, made, opcodes);
  return made;
}
