/**
 * Proves that a packed `mc.xs.c` is the linker's: every reference to a slot or a builder names what it named before. Shares no code with the
 * packing. Walks both files side by side, from all that stands outside of the two tables (the stack, keys, names, symbols, scripts, the
 * preparation) through whatever that refers to. What packing may change is named here, and nothing else may differ.
 */
const HEAP = /(static const txSlot gxHeap\[mxHeapCount\] = \{\n)([^]*?)\n?\};\n/;
const BUILDERS = /(static const xsHostBuilder gxBuilders\[)(\d+)\] = \{\n([^]*?)\};\n/;
const COUNT = /^(#define mxHeapCount )(\d+)$/m;
const ROW =
  /^\/\* (\d+) \*\/\t\{ ([^,]*), (\{\.ID = (\d+ \/\* .* \*\/|[^,]*), \.flag = (\w+), \.kind = XS_(\w+)_KIND ?\}, .*?),?$/;
const KEY = /^\.value = \{ \.key = \{ "((?:[^"\\]|\\.)*)"/;
const NEXT = /^\(txSlot\*\)&gxHeap\[(\d+)\]$/;
/** A text of the firmware, which only looks like a reference, or a reference. */
const TOKEN = /"(?:[^"\\]|\\.)*"|&(gxHeap|gxBuilders)\[(\d+)\]/g;
const BUILDER = /&gxBuilders\[(\d+)\]/;
const CODE = /\(txByte\*\)"((?:\\x[\da-f]{2}|[^"\\]|\\[^x])*)"/;
const ITEMS = /\.array = \{ \(txSlot\*\)&gxHeap\[(\d+)\], \d+ \}/;
const SIZE = /\.integer = (\d+) \* sizeof\(txSlot\)/;
/** The last byte of a function: `XS_CODE_END` and its kin (xs/sources/xsCommon.h). */
const END = /\\x4[4-8]$/;
/** `XS_INTERNAL_FLAG` */
const INTERNAL = 1;

/** The packed file is not the linker's: a fault of the packing. */
export class NotTheSame extends Error {}

function fail(what) {
  throw new NotTheSame(`mc.xs.c is not the same when packed: ${what}`);
}

/** `next`: 0 for none. `item`: an item's index in its array, which stands in place of the next slot. */
function rowOf(line, index) {
  const [, number, before = "", body = "", id = "", flag = "", kind = ""] = ROW.exec(line) ?? [];
  if (Number(number) !== index) fail(`row ${index} is ${line.slice(0, 120)}`);
  const next = Number(NEXT.exec(before)?.[1] ?? 0);
  const item = next || before === "NULL" ? undefined : before;
  return { next, item, body, id, flag: flag === "XS_NO_FLAG" ? 0 : Number(flag), kind };
}

/** @returns {{ slots: any[], builders: any[], rest: string }} */
function read(source) {
  const [, , heap = ""] = HEAP.exec(source) ?? [];
  const [, , length, table = ""] = BUILDERS.exec(source) ?? [];
  const slots = heap.split("\n").map(rowOf);
  const builders = table.split("\n").slice(0, -1);
  if (Number(COUNT.exec(source)?.[2]) !== slots.length) fail("the number of slots is wrong");
  if (Number(length ?? 0) !== builders.length) fail("the number of builders is wrong");
  const rest = source.replace(HEAP, "$1").replace(BUILDERS, "$1").replace(COUNT, "$1");
  return { slots, builders, rest };
}

const isStripped = ({ builders }, slot) =>
  slot.kind === "HOST_FUNCTION" &&
  (builders[Number(BUILDER.exec(slot.body)?.[1])] ?? "").startsWith("\t{ fxDeadStrip,");

/** The slots that follow one. */
function chainOf(slots, at) {
  const chain = [];
  for (let on = slots[at].next; on; on = slots[on].next) {
    if (!slots[on] || chain.length === slots.length) fail(`the list of slot ${at} has no end`);
    chain.push(on);
  }
  return chain;
}

/** An environment is a list of the variables that a function takes from outside, behind a slot of the engine's. */
function isEnvironment(slots, at) {
  if (slots[at].kind !== "INSTANCE" || slots[at].id !== "XS_NO_ID") return false;
  const [first, ...rest] = chainOf(slots, at).map((on) => slots[on].kind);
  return first === "UNDEFINED" && rest.length > 0 && rest.every((kind) => kind === "CLOSURE");
}

/** @param {string} input the linker's `mc.xs.c` @param {string} output the packed one. Throws if it is another firmware. */
export function prove(input, output) {
  const was = read(input);
  const is = read(output);
  /** By table: what stands for each entry of the input; and the other way round. */
  const partners = { gxHeap: new Map(), gxBuilders: new Map() };
  const owners = { gxHeap: new Map(), gxBuilders: new Map() };
  /** @type {[number, number][]} */
  const left = [];

  function pair(table, from, to) {
    const known = partners[table].get(from);
    if (known === to) return;
    if (known !== undefined) fail(`&${table}[${from}] is both [${known}] and [${to}]`);
    partners[table].set(from, to);
    if (table === "gxBuilders") {
      if (was.builders[from] === undefined || was.builders[from] !== is.builders[to])
        fail(`&gxBuilders[${from}] was${was.builders[from]}, [${to}] is${is.builders[to]}`);
    } else {
      if (!was.slots[from] || !is.slots[to]) fail(`there is no &gxHeap[${was.slots[from] ? to : from}]`);
      left.push([from, to]);
    }
    // Two objects may not become one, nor may two variables, except where nobody can tell.
    const owner = owners[table].get(to);
    if (owner !== undefined && !(was.slots[from]?.kind === "HOME" || isEnvironment(was.slots, from)))
      fail(`&${table}[${owner}] and [${from}] are both [${to}]`);
    owners[table].set(to, from);
  }

  /** Equal but for the numbers of what they refer to. */
  function compare(from, to, where) {
    const references = [from, to].map((text) => [...text.matchAll(TOKEN)].filter(([, table]) => table));
    const [plain, packed] = [from, to].map((text) => text.replace(TOKEN, (all, table) => (table ? `&${table}` : all)));
    if (plain !== packed) fail(`${where} was ${plain.slice(0, 300)}, is ${packed.slice(0, 300)}`);
    references[0]?.forEach(([, table, at], index) => pair(table, Number(at), Number(references[1]?.[index]?.[2])));
  }

  /** The properties that remain: those without the functions that the linker has stripped. */
  const nextOf = (at) => {
    let on = was.slots[at].next;
    while (on && isStripped(was, was.slots[on])) on = was.slots[on].next;
    return on;
  };

  function walk(from, to) {
    const one = was.slots[from];
    const other = is.slots[to];
    const where = `slot ${from}`;
    if (isEnvironment(was.slots, from)) {
      compare(one.body, other.body, where);
      const [needed, given] = [chainOf(was.slots, from), chainOf(is.slots, to)];
      if (!isEnvironment(is.slots, to) || given.length < needed.length) fail(`${where} has lost variables`);
      needed.forEach((on, index) => {
        const [variable, place] = [was.slots[on], is.slots[given[index]]];
        // The ID of a closure is the variable's name, for the text of an error only.
        const bodies = [variable, place].map(({ body, kind }) =>
          kind === "CLOSURE" ? body.replace(/\.ID = [^,]*/, "") : body,
        );
        compare(bodies[0], bodies[1], `variable ${index} of ${where}`);
      });
      return;
    }
    if (one.item !== other.item) fail(`${where} is item ${one.item}, now ${other.item}`);
    const next = nextOf(from);
    if (!next !== !other.next) fail(`${where} was ${next ? "" : "not "}followed by another`);
    if (next) pair("gxHeap", next, other.next);
    let { body } = one;
    let packed = other.body;
    if (from === 0) {
      // The first slot refers to what is behind the last.
      body = body.replace(`&gxHeap[${was.slots.length}]`, "&gxHeap[mxHeapCount]");
    } else if (one.kind === "CODE_X") {
      const [code, trimmed] = [body, packed].map((text) => CODE.exec(text)?.[1]);
      if (code !== undefined && trimmed !== undefined) {
        if (!code.startsWith(trimmed) || !END.test(trimmed) || !/^(?:\\x00)*$/.test(code.slice(trimmed.length)))
          fail(`${where} has other code`);
        [body, packed] = [body, packed].map((text) => text.replace(CODE, ""));
      }
    } else if (one.kind === "HOME") {
      // The number of a profiler's.
      [body, packed] = [body, packed].map((text) => text.replace(/\.ID = [^,]*/, ""));
    } else if (one.kind === "ARRAY") {
      const [items = 0, moved = 0] = [body, packed].map((text) => Number(ITEMS.exec(text)?.[1] ?? 0));
      // The items lie behind a slot with their size.
      const size = items ? Number(SIZE.exec(was.slots[items - 1].body)?.[1]) : -1;
      for (let on = -1; on < size; on++) pair("gxHeap", items + on, moved + on);
    }
    compare(body, packed, where);
  }

  compare(was.rest, is.rest, "what is outside of the tables");
  pair("gxHeap", 0, 0);
  pair("gxHeap", was.slots.length - 1, is.slots.length - 1);
  for (let next = left.pop(); next; next = left.pop()) walk(...next);
  proveLookups(is);
}

/**
 * The engine finds a property in flash by its distance from the object, the colour of its key, if the slot there has the key's ID
 * (`fxOrdinaryGetProperty` in xs/sources/xsType.c): that slot has to be the property.
 */
function proveLookups(/** @type {{ slots: any[], rest: string }} */ { slots, rest }) {
  const [, table = ""] = /static const txID gxColors\[[^{]*\{([^}]*)/.exec(rest) ?? [];
  /** @type {any[]} */
  const colours = table.split(",").map(Number);
  const keys = new Map(
    slots.flatMap(({ kind, body, id }) =>
      kind === "KEY_X" ? [[`xsID_${KEY.exec(body.slice(body.indexOf(".value")))?.[1]}`, Number(id)]] : [],
    ),
  );
  slots.forEach(({ kind, id, flag }, at) => {
    const number = keys.get(id) ?? Number.parseInt(id);
    if (Number.isNaN(number) && id !== "XS_NO_ID") fail(`slot ${at} has an unknown ID, ${id}`);
    const object = at - (colours[number] || at);
    if (kind === "INSTANCE" || object <= 0 || slots[object].kind !== "INSTANCE") return;
    if (flag & INTERNAL || !chainOf(slots, object).includes(at))
      fail(`slot ${at} would be taken for a property of ${object}`);
  });
}
