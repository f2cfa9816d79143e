/**
 * Places of slots in the preloaded heap. The engine finds a property of an object in flash without a search (`fxOrdinaryGetProperty` in
 * xs/sources/xsType.c): each key has a colour, and the property is that many slots behind its object, if the slot there has the key's ID. So
 * two rules hold: an object and its properties keep their distance, and no slot that is not an object's property has an ID that would be
 * taken for one.
 */
import { isProperty, nextOf } from "./slots.mjs";
import { blockOf } from "./share.mjs";

/**
 * @param {Set<number>} kept those to be placed @param {number[]} colours by ID of a key, 0: none
 * @returns {number[]} the slots' old places in their new order
 */
export function arrange(slots, kept, colours) {
  const fixed = new Set();
  const inBlocks = new Set();
  const blocks = [];
  for (const at of kept) {
    const { first, end } = blockOf(slots, at);
    if (end) blocks.push(Array.from({ length: end - first }, (_, index) => first + index));
    for (let on = first; on < end; on++) inBlocks.add(on);
    if (slots[at].kind !== "INSTANCE") continue;
    // Nobody looks a closure up by its name: environments may lie anywhere.
    const found = propertiesOf(slots, at).filter(
      (on) => slots[on].kind !== "CLOSURE" && on - at === colours[slots[on].id],
    );
    for (const on of found) fixed.add(on);
    if (found.length) fixed.add(at);
  }
  const first = 0;
  const last = slots.length - 1;
  const free = [...kept].filter((at) => !fixed.has(at) && !inBlocks.has(at) && at !== first && at !== last);
  // Objects first: what is placed later makes sure that it is not taken for a property of one.
  const left = [true, false].flatMap((isObject) =>
    free.filter((at) => (slots[at].kind === "INSTANCE") === isObject).sort((one, other) => one - other),
  );
  /** @type {number[]} */
  const order = [];
  order[first] = first;
  for (const at of fixed) order[at] = at;
  const isFree = (at, place) => {
    const { kind, id } = slots[at];
    const before = kind === "INSTANCE" || !colours[id] ? undefined : order[place - colours[id]];
    return before === undefined || slots[before].kind !== "INSTANCE";
  };
  for (let place = 1; left.length; place++) {
    if (order[place] !== undefined) continue;
    const which = left.findIndex((at) => isFree(at, place));
    if (which < 0) throw new Error("mc.xs.c: no slot fits a place");
    order[place] = left.splice(which, 1)[0] ?? 0;
  }
  // Only a heap with next to nothing in it has too few slots to fill the places between the fixed ones.
  for (let place = 0; place < order.length; place++)
    if (order[place] === undefined) throw new Error("mc.xs.c: a place is left");
  return [...order, ...blocks.flat(), last];
}

function propertiesOf(slots, at) {
  const found = [];
  for (let on = nextOf(slots[at]); on; on = nextOf(slots[on])) if (isProperty(slots[on])) found.push(on);
  return found;
}
