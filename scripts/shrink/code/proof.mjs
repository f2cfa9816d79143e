/**
 * Proves that shorter bytecode does what the linker's does. Shares no code with what makes it, but for the opcodes and what they do to the
 * stack. Runs both side by side with names in place of values, along each way through a function. Either may move values between stack,
 * variables and parameters as it likes, make constants, and branch again on what it has branched on already. All else must be the same
 * instructions, in the same order, with the same values.
 */
import { NotTheSame } from "../heap/proof.mjs";
import { effectOf } from "./stack.mjs";

const CODE = /(\.code = \{ \(txByte\*\)")((?:\\x[\da-f]{2})*)(")/g;
const LAST = /^END(?:_[A-Z]+)?$/;
const CHOICE = /^BRANCH_(?:ELSE|IF)$/;
/** Their value is the same wherever they stand. No instruction changes a parameter: to assign to it, xsc copies it. */
const CONSTANT = /^(?:ARGUMENT|FALSE|INTEGER_[124]|NULL|NUMBER|TRUE|UNDEFINED)$/;
const UNDEFINED = "UNDEFINED ";
/** As esbuild and terser write them. */
const WRITTEN = { TRUE: "!INTEGER_1 00", FALSE: "!INTEGER_1 01" };
/** Behind these stands a byte of flags, as the operand of an INTEGER_1 that is none. */
const FLAGGED = /^NEW_(?:PRIVATE_1|PROPERTY|PROPERTY_AT)$/;
/** The operand is a variable's number in its function's scope. */
const VARIABLE = /^(?:\w+_(?:CLOSURE|LOCAL|PRIVATE)|STORE)_1$/;
const STORING = /^(LET|PULL|SET|VAR)_LOCAL_1$/;
/** A variable with a name, or a closure: not a value but the place of one, marked in the scope. What is done to it has to be the same. */
const PLACE = "=";
/** A variable without a name that has no value yet: that it would be asked for is an error, which its name is in. */
const UNSET = "-";
/** More than the longest function has. */
const MOST_STEPS = 100_000;

const fail = (what) => {
  throw new NotTheSame(`bytecode is not the same when shorter: ${what}`);
};

/** The bytes of a C literal. */
const bytesOf = (literal) => Buffer.from(literal.replaceAll("\\x", ""), "hex");

/** The instruction at a place: its name without a width, where the next is, and where it leads. */
function reader(code, opcodes) {
  return (at) => {
    const { name, size } = opcodes[code[at]] ?? fail(`nothing at ${at}`);
    let end = at + size;
    if (size < 0)
      end = at + 1 - size + code.subarray(at + 1, at + 1 - size).reduceRight((sum, byte) => sum * 256 + byte, 0);
    if (FLAGGED.test(name)) end += 2;
    if (end > code.length) fail(`${name} at ${at} lacks its end`);
    const [, kind] = /^(BRANCH(?:_[A-Z]+)?|CATCH|CODE)_\d$/.exec(name) ?? [];
    if (kind) return { at, name: kind, end, operand: "", number: 0, to: end + code.readIntLE(at + 1, size - 1) };
    return { at, name, end, operand: code.toString("hex", at + 1, end), number: code[at + 1] ?? 0, to: undefined };
  };
}

/**
 * One of both: where it is, what is on its stack, in its scope, and how much room for a scope it has made.
 * @typedef {{ at: number, stack: string[], scope: string[], room: number }} Side
 */

/** A function's beginning. @returns {Side} */
const beginning = (at) => ({ at, stack: [], scope: [], room: 0 });

function taken(stack, count) {
  if (stack.length < count) fail("a stack has fewer values than are taken");
  return stack.splice(stack.length - count, count);
}

const isPlace = (variable) => variable.startsWith(PLACE);
const entryOf = ({ scope }, { name, number }) =>
  scope[number - 1] ?? fail(`${name} of variable ${number}, of ${scope.length}`);

/** What a value is once its negations are gone, and whether they were odd. */
function bare(value) {
  const base = value.replace(/^!+/, "");
  return { base, isOdd: (value.length - base.length) % 2 === 1 };
}

/** Does an instruction that only moves values. @returns {boolean} whether it is one */
function moves(/** @type {Side} */ side, each, truths) {
  const { stack, scope } = side;
  const { name, operand, number } = each;
  let next = each.end;
  if (CONSTANT.test(name)) stack.push(WRITTEN[name] ?? `${name} ${operand}`);
  else if (name === "POP") taken(stack, 1);
  else if (name === "DUB") stack.push(...taken(stack, 1).flatMap((value) => [value, value]));
  else if (name === "SWAP") stack.push(...taken(stack, 2).reverse());
  else if (name === "NOT") stack.push(...taken(stack, 1).map((value) => `!${value}`));
  else if (name === "VOID") stack.push(...taken(stack, 1).map(() => UNDEFINED));
  else if (name === "BRANCH") next = each.to;
  else if (CHOICE.test(name)) {
    const { base, isOdd } = bare(stack.at(-1) ?? fail(`${name} on nothing`));
    const truth = truths.get(base);
    if (truth === undefined) return false;
    taken(stack, 1);
    if ((truth !== isOdd) === (name === "BRANCH_IF")) next = each.to;
  } else if (name === "RESERVE_1") {
    if (side.room || stack.length || scope.length) fail("room for variables that is not at the beginning");
    side.room = number;
  } else if (name === "NEW_TEMPORARY") scope.push(UNDEFINED);
  else if (name === "UNWIND_1") {
    if (scope.length < number) fail("a scope has fewer variables than go");
    scope.length -= number;
  } else if (name === "REFRESH_LOCAL_1") entryOf(side, each);
  else if (name === "GET_LOCAL_1") {
    const value = entryOf(side, each);
    if (isPlace(value)) return false;
    if (value === UNSET) fail(`${name} of variable ${number}, which has no value`);
    stack.push(value);
  } else if (STORING.test(name)) {
    const before = entryOf(side, each);
    if (isPlace(before)) return false;
    const [value = ""] = taken(stack, 1);
    if (before === UNSET && /^(?:PULL|SET)/.test(name)) fail(`${name} of variable ${number}, which has no value`);
    scope[number - 1] = value;
    if (!name.startsWith("PULL")) stack.push(value);
  } else return false;
  side.at = next;
  return true;
}

/** A loop that only moves values, always the same. */
const FOREVER = "FOREVER";

/** Up to the next instruction that does more than move values, which is returned. */
function onward(/** @type {Side} */ side, read, truths) {
  const seen = new Set();
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const each = read(side.at);
    if (!moves(side, each, truths)) return each;
    if (side.scope.length > side.room) fail(`${each.name} at ${each.at}, for which there is no room`);
    if (side.at > each.at) continue;
    const text = JSON.stringify(side);
    if (seen.has(text)) return { ...each, name: FOREVER };
    seen.add(text);
  }
  return fail("it does not end");
}

/**
 * Where errors lead, and what is left of stack and scope there.
 * @typedef {{ was: number, is: number, left: readonly number[] }} Handler
 */

/**
 * Both, before the same instruction or on the way there.
 * @typedef {object} State
 * @property {Side} was
 * @property {Side} is
 * @property {Map<string, boolean>} truths of values on which both have branched
 * @property {Handler[]} handlers
 * @property {number} begin of the function, in the shorter
 * @property {number} end
 */

/** What is known where two ways meet. Values that are the same in both stay so; the others get new names, in the order of their places. */
function meet(/** @type {State} */ one, /** @type {State} */ other) {
  if (one.was.room !== other.was.room || one.is.room !== other.is.room)
    fail("two ways meet with other room for variables");
  const names = new Map();
  /** @type {State["truths"]} */
  const truths = new Map();
  const both = (a, b) => {
    if (isPlace(a) !== isPlace(b)) fail("a variable has a name on one way only");
    if (a === UNSET || b === UNSET) return UNSET;
    if (a[0] === b[0] && /^[!=]/.test(a)) return `${a[0]}${both(a.slice(1), b.slice(1))}`;
    const key = `${a} ${b}`;
    const name = a === b && !/^v\d/.test(a) ? a : (names.get(key) ?? `v${names.size}`);
    if (!names.has(key) && name.startsWith("v")) names.set(key, name);
    const truth = one.truths.get(a);
    if (truth !== undefined && truth === other.truths.get(b)) truths.set(name, truth);
    return name;
  };
  const all = (a, b) => {
    if (a.length !== b.length) fail("two ways meet with other values on the stack, or other variables");
    return a.map((value, at) => both(value, b[at]));
  };
  const side = (a, b) => ({ ...a, stack: all(a.stack, b.stack), scope: all(a.scope, b.scope) });
  return { ...one, was: side(one.was, other.was), is: side(one.is, other.is), truths };
}

const textOf = ({ was, is, truths }) => JSON.stringify([was.stack, was.scope, is.stack, is.scope, [...truths]]);

let made = 0;
/** A value of which nothing is known but that both have it. */
const fresh = () => `v${1_000_000 + made++}`;

const copied = (/** @type {State} */ state) => ({
  ...state,
  was: { ...state.was, stack: [...state.was.stack], scope: [...state.was.scope] },
  is: { ...state.is, stack: [...state.is.stack], scope: [...state.is.scope] },
});

/** What both get to behind the instruction at which they are. Changes `state`. @returns {State[]} */
function stepsFrom(/** @type {State} */ state, was, is) {
  /** @type {any[]} */
  const sides = [state.was, state.is];
  const pair = `${was.name} ${was.operand} at ${was.at}, ${is.name} ${is.operand} at ${is.at}`;
  const to = (/** @type {State} */ from, one, other) => ({
    ...from,
    was: { ...from.was, at: one },
    is: { ...from.is, at: other },
  });
  const [handler] = state.handlers.slice(-1);
  /** @type {State[]} */
  const steps = [];
  if (handler) {
    const caught = copied(state);
    [caught.was, caught.is].forEach((side, at) => {
      const [values = 0, variables = 0] = handler.left.slice(2 * at);
      if (side.stack.length < values || side.scope.length < variables)
        fail("an error is handled with more than there is");
      side.stack.length = values;
      side.scope.length = variables;
    });
    steps.push(to({ ...caught, handlers: state.handlers.slice(0, -1) }, handler.was, handler.is));
  }

  if (CHOICE.test(was.name) && CHOICE.test(is.name)) {
    const [one, other] = /** @type {any[]} */ (sides.map(({ stack }) => bare(taken(stack, 1)[0])));
    if (one.base !== other.base) fail(pair);
    for (const truth of [true, false]) {
      const leads = (each, { isOdd }) => ((truth !== isOdd) === (each.name === "BRANCH_IF") ? each.to : each.end);
      const known = { ...copied(state), truths: new Map(state.truths).set(one.base, truth) };
      steps.push(to(known, leads(was, one), leads(is, other)));
    }
    return steps;
  }

  // That a value is taken off once it is stored is no difference.
  const [name, isName] = [was, is].map((each) => each.name.replace(/^PULL_/, "SET_"));
  if (name !== isName) fail(pair);
  const effect = effectOf(name, was.number) ?? fail(`${name} is not understood`);
  if (VARIABLE.test(name)) {
    const [one, other] = [entryOf(state.was, was), entryOf(state.is, is)];
    if (one !== other || !isPlace(one)) fail(`${pair}, of another variable`);
    if (was.operand.slice(2) !== is.operand.slice(2)) fail(`${pair}, with other flags`);
    if (/^(?:REFRESH|RESET)_CLOSURE/.test(name)) {
      const place = PLACE + fresh();
      state.was.scope[was.number - 1] = place;
      state.is.scope[is.number - 1] = place;
    }
  } else if (was.operand !== is.operand) fail(pair);
  const [takes, others] = /** @type {any[]} */ (sides.map(({ stack }) => taken(stack, effect.takes)));
  if (takes.some((value, at) => value !== others[at])) fail(`${pair}, with other values`);
  const puts = /^(?:BRANCH_C|SET_(?:CLOSURE|LOCAL))/.test(name) ? takes : Array.from({ length: effect.puts }, fresh);
  const grows = /^NEW_(?:CLOSURE|LOCAL)$/.test(name) ? 1 : name === "RETRIEVE_1" ? was.number : 0;
  const places = Array.from({ length: grows }, () => PLACE + fresh());
  [was, is].forEach(({ name: its }, at) => {
    if (!its.startsWith("PULL_")) sides[at].stack.push(...puts);
    sides[at].scope.push(...places);
    if (sides[at].scope.length > sides[at].room) fail(`${pair}, for which there is no room`);
  });

  if (name === "THROW") return steps;
  if (name === "CATCH") {
    const left = sides.flatMap(({ stack, scope }) => [stack.length, scope.length]);
    state.handlers = [...state.handlers, { was: was.to, is: is.to, left }];
  } else if (name === "UNCATCH") state.handlers = state.handlers.slice(0, -1);
  else if (name === "CODE") {
    // Behind it stands a function of its own, as far as it leads.
    const inner = { was: beginning(was.end), is: beginning(is.end), truths: new Map(), handlers: [] };
    steps.push({ ...inner, begin: is.end, end: is.to }, to(state, was.to, is.to));
    return steps;
  } else if (was.to !== undefined) {
    const branch = copied(state);
    if (name === "BRANCH_CHAIN") for (const { stack } of [branch.was, branch.is]) stack.splice(-1, 1, UNDEFINED);
    if (name === "BRANCH_COALESCE") for (const { stack } of sides) stack.pop();
    steps.push(to(branch, was.to, is.to));
  }
  steps.push(to(state, was.end, is.end));
  return steps;
}

const isSame = (one, other) => one.name === other.name && one.operand === other.operand;

/** Whether another variable of this name follows before anything but moves: then this is the one that has no name in the shorter. */
function isMadeAgain(made, read) {
  let each = read(made.end);
  while (
    !isSame(each, made) &&
    (CONSTANT.test(each.name) || /^(?:NEW_TEMPORARY|POP|\w+_LOCAL(?:_1)?)$/.test(each.name))
  )
    each = read(each.end);
  return isSame(each, made);
}

function proveFunction(was, is, opcodes) {
  if (was.equals(is)) return;
  const read = reader(was, opcodes);
  const readShorter = reader(is, opcodes);
  /** By where both are, and where errors lead. @type {Map<string, State>} */
  const known = new Map();
  /** @type {State[]} */
  const left = [{ was: beginning(0), is: beginning(0), truths: new Map(), handlers: [], begin: 0, end: is.length }];
  for (let found = left.pop(); found; found = left.pop()) {
    const state = copied(found);
    const within = (at) => {
      const each = readShorter(at);
      if (at < state.begin || each.end > state.end) fail(`a function has an instruction at ${at}, outside of it`);
      return each;
    };
    const from = state.is.at;
    const other = onward(state.is, within, state.truths);
    let one = onward(state.was, read, state.truths);
    while (one.name === "NEW_LOCAL" && (!isSame(one, other) || isMadeAgain(one, read))) {
      state.was.scope.push(UNSET);
      state.was.at = one.end;
      one = onward(state.was, read, state.truths);
    }
    // These go on from where RETRIEVE_1 ended.
    if (/^RETRIEVE_T/.test(other.name) && other.at !== from) fail(`${other.name} at ${other.at} does not follow`);
    if (one.name === FOREVER || other.name === FOREVER) {
      if (one.name !== other.name) fail(`${one.name} at ${one.at}, ${other.name} at ${other.at}`);
      continue;
    }
    if (LAST.test(one.name) && isSame(one, other)) continue;
    const used = ({ room, stack }) => room + stack.length;
    if (used(state.is) > used(state.was)) fail(`${other.name} at ${other.at} has more on the stack`);
    const key = `${one.at} ${other.at} ${JSON.stringify(state.handlers)}`;
    const before = known.get(key);
    const met = meet(before ?? state, state);
    if (before && textOf(before) === textOf(met)) continue;
    known.set(key, met);
    left.push(...stepsFrom(copied(met), one, other));
  }
}

/**
 * @param {string} input the linker's `mc.xs.c`
 * @param {string} output the one with shorter bytecode. Throws if it is another firmware.
 * @param {readonly import("./opcodes.mjs").Opcode[]} opcodes
 */
export function proveCode(input, output, opcodes) {
  if (input.replace(CODE, "$1$3") !== output.replace(CODE, "$1$3")) fail("what is not bytecode");
  const shorter = [...output.matchAll(CODE)];
  [...input.matchAll(CODE)].forEach(([, , code], at) =>
    proveFunction(bytesOf(code), bytesOf(shorter[at]?.[2] ?? ""), opcodes),
  );
}
