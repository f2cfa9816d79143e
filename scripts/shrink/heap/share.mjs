/**
 * Finds slots of the preloaded heap that need not be there, because another one does as well, or nobody asks for it. Nothing in flash is
 * ever written to: the engine copies an object to RAM, with all its properties, before it changes it (`fxAliasInstance`).
 */
import { nextOf } from "./slots.mjs";

const chainOf = (slots, at) => {
  const chain = [];
  for (let on = nextOf(slots[at]); on; on = nextOf(slots[on])) chain.push(on);
  return chain;
};

/**
 * The environment of a function: an instance, a slot of the engine's, then a closure for each variable of its module that it uses.
 */
const isEnvironment = (slots, at) => {
  if (slots[at].kind !== "INSTANCE" || slots[at].id) return false;
  const [first, ...rest] = chainOf(slots, at).map((on) => slots[on].kind);
  return first === "UNDEFINED" && rest.length > 0 && rest.every((kind) => kind === "CLOSURE");
};

/** What a closure is, whatever follows it in its list. Its ID is the variable's name, for an error's text only. */
const closureOf = ({ flag, references }) => `${flag} ${references.at(-1)} `;

/**
 * Equal slots: `same[at]` is the slot that stands for it. Shared are
 * - environments: a function takes the closures that it uses from the start of the list (`XS_CODE_RETRIEVE`), so that an environment serves
 *   each function whose own closures it begins with; and the ends of these lists, as far as they are equal;
 * - homes of functions (`XS_HOME_KIND`), whose ID is a profiler's, which a release does not have.
 * @returns {any[]}
 */
export function equalSlots(slots) {
  const same = slots.map((_, at) => at);
  const known = new Map();
  const keyOf = ({ text, references, kind }) =>
    `${kind} ${text.slice(text.indexOf(".flag"))} ${references.map((to) => same[to]).join()}`;
  const share = (slot, at) => {
    const key = keyOf(slot);
    if (!known.has(key)) known.set(key, at);
    same[at] = known.get(key);
  };
  slots.forEach((slot, at) => slot.kind === "HOME" && share(slot, at));
  // The longest first: a shorter one finds the one that it begins.
  const lists = slots
    .flatMap((_, at) => (isEnvironment(slots, at) ? [{ at, chain: chainOf(slots, at) }] : []))
    .sort((one, other) => other.chain.length - one.chain.length);
  const environments = new Map();
  for (const { at, chain } of lists) {
    const closures = chain.slice(1);
    let beginsWith = "";
    const beginnings = closures.map((on) => (beginsWith += closureOf(slots[on])));
    const other = environments.get(beginsWith);
    if (other !== undefined) same[at] = other;
    else {
      for (const each of beginnings) if (!environments.has(each)) environments.set(each, at);
      // The last first: a list is equal only if what follows is.
      for (const on of closures.toReversed()) share(slots[on], on);
    }
  }
  return same;
}

/**
 * Takes the built-in functions that no code of the firmware names out of their objects (xsl has replaced them by `fxDeadStrip`, which
 * aborts): a script that asks for one finds nothing instead. Changes `slots`.
 * @param {Set<number>} stripped numbers of their builders
 */
export function unlinkStripped(slots, stripped) {
  const builder = ({ kind, text }) => (kind === "HOST_FUNCTION" ? Number(/&gxBuilders\[(\d+)\]/.exec(text)?.[1]) : -1);
  for (const slot of slots) {
    while (slot.hasNext && stripped.has(builder(slots[slot.references[0]]))) {
      const { hasNext, references } = slots[slot.references[0]];
      if (hasNext) slot.references[0] = references[0];
      else {
        slot.hasNext = false;
        slot.references.shift();
        slot.text = slot.text.replace("(txSlot*)&gxHeap[@]", "NULL");
      }
    }
  }
}

/**
 * Slots that the engine can come to, through those that stand for equal ones. An array's items, which lie behind a slot with their
 * length, come with the first of them.
 * @returns {Set<number>}
 */
export function reachable(slots, same, roots) {
  const found = new Set();
  const left = roots.map((at) => same[at]);
  const visit = (at) => {
    if (found.has(at)) return;
    found.add(at);
    for (const to of slots[at].references) left.push(same[to]);
  };
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    visit(at);
    const block = blockOf(slots, at);
    for (let on = block.first; on < block.end; on++) visit(on);
  }
  return found;
}

/** The slots of an array's items with the one before them, which have to stay together; none for any other slot. */
export function blockOf(slots, at) {
  const { kind, text, references, hasNext } = slots[at];
  const items = kind === "ARRAY" ? references[hasNext ? 1 : 0] : undefined;
  if (items === undefined) return { first: 0, end: 0 };
  const size = Number(/\.integer = (\d+) \* sizeof\(txSlot\)/.exec(slots[items - 1].text)?.[1]);
  if (!(size >= 0)) throw new Error(`mc.xs.c has an array of unknown form: ${text}`);
  return { first: items - 1, end: items + size };
}
