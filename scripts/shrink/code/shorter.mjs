/** Does with fewer bytes what xsc's bytecode does. What each rule may rely on is in xs/sources/xsRun.c. */
import { decode, encode } from "./bytecode.mjs";
import { flowOf } from "./flow.mjs";
import { proveCode } from "./proof.mjs";

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

/** What nothing leads to, zeros behind the end too; but for the end, by which a function in flash is known. */
function unreachable(list) {
  const { variables } = flowOf(list);
  list.forEach(({ name }, at) => variables[at] === undefined && !name.startsWith("END") && drop(list, at));
}

const STORES = /^(?:LET|VAR)_LOCAL_1$/;
/** Any other use of a variable, by the number that it has in its function's scope. */
const USES = /^(?:GET|SET|PULL|CONST|RESET|LET|VAR)_(?:LOCAL|CLOSURE)_1$|^STORE_1$/;
/** These need its name or its flags, or that it is not initialized. */
const NEEDS_MORE = /^(?:CONST|RESET)_LOCAL_1$|^STORE_1$/;

/** Whether the variable that is made at `from` is used before anything is stored in it, or needs more than a value. */
function isMore(list, /** @type {any} */ { next, variables }, from) {
  const number = variables[from] + 1;
  const seen = new Set();
  const left = [{ at: from + 1, isStored: false }];
  for (let on = left.pop(); on; on = left.pop()) {
    const { at } = on;
    const key = `${at} ${on.isStored}`;
    if (seen.has(key) || variables[at] < number) continue;
    seen.add(key);
    const { name, operand } = list[at];
    const isIts = USES.test(name) && operand[0] === number;
    const isStored = on.isStored || (isIts && STORES.test(name));
    if (isIts && (NEEDS_MORE.test(name) || !isStored)) return true;
    left.push(...next[at].map((to) => ({ at: to, isStored })));
  }
  return false;
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

/**
 * A variable that has a value before anything asks for it needs no name, by which the engine says that it has none yet: it is a temporary, of
 * which storing takes the value off the stack.
 */
function variables(list) {
  // A debugger shows the names: its builds have the lines.
  if (list.some(({ name }) => name === "LINE")) return;
  const flow = flowOf(list);
  for (const places of functionsIn(list)) {
    const made = places.filter((at) => list[at].name === "NEW_LOCAL");
    const numberOf = (at) => (flow.variables[at] ?? 0) + 1;
    const more = new Set(made.filter((at) => isMore(list, flow, at)).map(numberOf));
    const plain = new Set(made.map(numberOf).filter((number) => !more.has(number)));
    for (const at of made) if (plain.has(numberOf(at))) Object.assign(list[at], { name: "NEW_TEMPORARY", operand: [] });
    for (const at of places)
      if (STORES.test(list[at].name) && plain.has(list[at].operand[0])) list[at].name = "SET_LOCAL_1";
  }
}

/** A value that is stored stays on the stack: it is taken off, or needed again. */
function stores(list) {
  forEach(list, [/^(?:SET|LET|VAR)_LOCAL_1$/, /^POP$/, /^GET_LOCAL_1$/], (at) => {
    if (list[at].operand[0] === list[at + 2].operand[0]) drop(list, at + 1, at + 2);
  });
  forEach(list, [/^SET_(?:LOCAL|CLOSURE)_1$/, /^POP$/], (at) => {
    list[at].name = list[at].name.replace("SET", "PULL");
    drop(list, at + 1);
  });
}

/**
 * @param {readonly number[]} code
 * @param {readonly import("./opcodes.mjs").Opcode[]} opcodes
 * @returns {number[]} as long, or shorter. Throws for what is no bytecode, or not understood.
 */
export function shorter(code, opcodes) {
  let list = decode(code, opcodes);
  for (const rule of [constants, conditions, unreachable, variables, stores]) {
    rule(list);
    list = withoutGone(list);
  }
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
