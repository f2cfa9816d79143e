/**
 * Proves that shorter bytecode does what the linker's does. Shares no code with what makes it. Walks both side by side, along each way that
 * leads through a function; what may differ is named here, and nothing else may.
 */
import { NotTheSame } from "../heap/proof.mjs";

const CODE = /(\.code = \{ \(txByte\*\)")((?:\\x[\da-f]{2})*)(")/g;
const CHOICE = /^BRANCH_(?:ELSE|IF)$/;
const LAST = /^(?:END|END_[A-Z]+|RETURN|THROW|RETHROW)$/;
/** Uses of a variable, by the number that it has in its function's scope. */
const USE = /^(?:(\w+)_(?:LOCAL|CLOSURE)|STORE)_1$/;
/** What a variable without a name cannot do: be constant, or without a value once more, or in another function. */
const NAMED_ONLY = ["CONST", "RESET", undefined];
/** How a variable stands in a scope. */
const [OTHER, UNSET, SET] = [".", "-", "+"];

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
    if (end > code.length) fail(`${name} at ${at} lacks its end`);
    const [, kind] = /^(BRANCH(?:_[A-Z]+)?|CATCH|CODE)_\d$/.exec(name) ?? [];
    if (kind) return { at, name: kind, end, operand: "", to: end + code.readIntLE(at + 1, size - 1) };
    return { at, name, end, operand: code.toString("hex", at + 1, end), to: undefined };
  };
}

/** The variables behind an instruction, of which `was` has one and `is` another. */
function scopeBehind(scope, was, is) {
  const count = Number.parseInt(was.operand, 16);
  if (was.name === "NEW_LOCAL") return scope + (is.name === "NEW_LOCAL" ? OTHER : UNSET);
  if (was.name === "NEW_CLOSURE" || was.name === "NEW_TEMPORARY") return scope + OTHER;
  if (was.name === "RETRIEVE_1") return scope + OTHER.repeat(count);
  if (was.name === "UNWIND_1") return scope.slice(0, scope.length - count);
  const [used, how] = USE.exec(was.name) ?? [];
  if (!used) return scope;
  const variable = scope[count - 1] ?? fail(`${was.name} of variable ${count}, of ${scope.length}`);
  const isStored = how === "LET" || how === "VAR";
  if (variable === OTHER) {
    if (isStored && is.name !== was.name) fail(`${was.name} of variable ${count}, which may be new, is ${is.name}`);
    return scope;
  }
  if (NAMED_ONLY.includes(how)) fail(`${was.name} of variable ${count}, which has no name`);
  if (variable === UNSET && !isStored) fail(`${was.name} of variable ${count}, which has no value`);
  return scope.slice(0, count - 1) + SET + scope.slice(count);
}

/** What is known about a scope where two ways meet. */
function meet(one, other) {
  if (one.length !== other.length) fail("a scope has a way with other variables");
  return [...one].map((each, at) => (each === SET && other[at] !== SET ? (other[at] ?? "") : each)).join("");
}

/**
 * @typedef {object} State
 * @property {number} at where the first is
 * @property {any} on where the shorter is
 * @property {string} [held] the first still has a value on its stack that a branch of this name was taken with
 * @property {string} scope
 * @property {number} end of the function, in the shorter
 */

/** Where both go; without an `end`, in the same function. @returns {(Omit<State, "end"> & { end?: number })[]} */
function stepsFrom(/** @type {State} */ { at, on, held, scope }, read, readShorter) {
  const was = read(at);
  const following = () => read(was.end);
  if (held) {
    if (was.name === "POP") return [{ at: was.end, on, scope }];
    if (CHOICE.test(was.name)) return [{ at: was.name === held ? was.to : was.end, on, scope }];
    const choice = following();
    if (was.name !== "DUB" || !CHOICE.test(choice.name)) fail(`${was.name} of a value that is gone`);
    return [{ at: choice.name === held ? choice.to : choice.end, on, held, scope }];
  }
  if (was.name === "REFRESH_LOCAL_1") return [{ at: was.end, on, scope }];
  const is = readShorter(on);
  const pair = `${was.name} ${was.operand} at ${at}, ${is.name} ${is.operand} at ${on}`;

  if (was.name === "INTEGER_1" && is.name !== was.name) {
    const wanted = { NOT: Number(was.operand) ? "FALSE" : "TRUE", VOID: "UNDEFINED" }[following().name];
    return is.name === wanted ? [{ at: following().end, on: is.end, scope }] : fail(pair);
  }
  if (was.name === "DUB" && CHOICE.test(is.name)) {
    const choice = following();
    const pop = read(choice.end);
    if (choice.name !== is.name || pop.name !== "POP") fail(pair);
    return [
      { at: pop.end, on: is.end, scope },
      { at: choice.to, on: is.to, held: choice.name, scope },
    ];
  }
  const after = scopeBehind(scope, was, is);
  const [, how, what] = /^(LET|VAR|SET)_(LOCAL|CLOSURE)_1$/.exec(was.name) ?? [];
  if (how && was.operand === is.operand) {
    const pop = following();
    if (is.name === `PULL_${what}_1`)
      return pop.name === "POP" ? [{ at: pop.end, on: is.end, scope: after }] : fail(`${pair}, then ${pop.name}`);
    if (is.name !== was.name && is.name !== `SET_${what}_1`) fail(pair);
    if (pop.name === "POP" && readShorter(is.end).name !== "POP") {
      const get = read(pop.end);
      if (get.name !== `GET_${what}_1` || get.operand !== was.operand) fail(`${pair}, then ${get.name}`);
      return [{ at: get.end, on: is.end, scope: after }];
    }
    return [{ at: was.end, on: is.end, scope: after }];
  }
  const isUnnamed = was.name === "NEW_LOCAL" && is.name === "NEW_TEMPORARY";
  if (!isUnnamed && (was.name !== is.name || was.operand !== is.operand)) fail(pair);
  if (LAST.test(was.name)) return [];
  const next = { at: was.end, on: is.end, scope: after };
  if (was.to === undefined) return [next];
  const branch = { at: was.to, on: is.to, scope: after };
  if (was.name === "BRANCH") return [branch];
  // Behind CODE is a function of its own, as far as CODE leads.
  return was.name === "CODE" ? [{ ...next, scope: "", end: is.to }, branch] : [next, branch];
}

function proveFunction(was, is, opcodes) {
  const read = reader(was, opcodes);
  const readShorter = reader(is, opcodes);
  /** By where both are: the scope. */
  const known = new Map();
  /** @type {State[]} */
  const left = [{ at: 0, on: 0, scope: "", end: is.length }];
  for (let state = left.pop(); state; state = left.pop()) {
    const key = `${state.at} ${state.on} ${state.held ?? ""}`;
    const before = known.get(key);
    const isEnd = LAST.test(read(state.at).name);
    const scope = before === undefined || isEnd ? state.scope : meet(before, state.scope);
    if (scope === before || (isEnd && before !== undefined)) continue;
    known.set(key, scope);
    if (readShorter(state.on).end > state.end) fail(`a function has an instruction at ${state.on}, behind its end`);
    left.push(...stepsFrom({ ...state, scope }, read, readShorter).map((step) => ({ end: state.end, ...step })));
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
