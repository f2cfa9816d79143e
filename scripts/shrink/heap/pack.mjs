/** Makes `mc.xs.c`, the output of the SDK's linker, smaller without changing what the firmware does. */
import { arrange, checkLookups } from "./layout.mjs";
import { equalSlots, reachable, unlinkStripped } from "./share.mjs";
import { readSlots, writeSlots } from "./slots.mjs";

const BUILDERS = /(static const xsHostBuilder gxBuilders\[)(\d+)(\] = \{\n)([\s\S]*?)(\};\n)/;
const COLOURS = /static const txID gxColors\[mxKeysCount\][^{]*\{\n([\s\S]*?)\};/;

/** Opcodes that end a function: `XS_CODE_END` and its kin (xs/sources/xsCommon.h). Behind them xsl writes zeros, as far as its chunk goes. */
const ENDS = /^(?:[^\\]|\\x..)*\\x4[4-8]$/;
const CODE = /(\.code = \{ \(txByte\*\)")((?:[^"\\]|\\.)*)(")/;

/** Changes `slots`. */
function trimCode(slots) {
  for (const slot of slots) {
    if (slot.kind !== "CODE_X") continue;
    slot.text = slot.text.replace(CODE, (whole, open, code, close) => {
      const trimmed = code.replace(/(?:\\x00)+$/, "");
      if (!ENDS.test(trimmed)) throw new Error(`mc.xs.c has a function without an end: ${whole.slice(-80)}`);
      return open + trimmed + close;
    });
  }
}

/** Drops the builders of stripped functions. Changes `slots`. @returns {string} the table without them */
function dropBuilders(source, slots, stripped) {
  return source.replace(BUILDERS, (_, open, __, middle, table, close) => {
    const lines = table.trimEnd().split("\n");
    const used = new Set(
      slots.flatMap(({ text }) => [...text.matchAll(/&gxBuilders\[(\d+)\]/g)].map(([, at]) => Number(at))),
    );
    const kept = [...lines.keys()].filter((at) => used.has(at) || !stripped.has(at));
    for (const slot of slots)
      slot.text = slot.text.replace(/&gxBuilders\[(\d+)\]/g, (_text, at) => `&gxBuilders[${kept.indexOf(Number(at))}]`);
    return `${open}${kept.length}${middle}${kept.map((at) => lines[at]).join("\n")}\n${close}`;
  });
}

const strippedIn = (source) =>
  new Set(
    (BUILDERS.exec(source)?.[4] ?? "")
      .split("\n")
      .flatMap((line, at) => (line.startsWith("\t{ fxDeadStrip,") ? [at] : [])),
  );

const rootsOf = (text) => [...text.matchAll(/&gxHeap\[(\d+)\]/g)].map(([, at]) => Number(at));

/** @param {string} source `mc.xs.c` @returns {string} the same with fewer slots. Throws if it is not as xsl writes it. */
export function pack(source) {
  const { slots: read, before, after } = readSlots(source);
  /** @type {any[]} */
  const slots = read;
  const colours = (COLOURS.exec(source)?.[1] ?? "").split(",").map(Number);
  const stripped = strippedIn(source);
  unlinkStripped(slots, stripped);
  trimCode(slots);
  const same = equalSlots(slots);
  const last = slots.length - 1;
  // The first slot refers to what is behind the last.
  slots[0].references.length = 0;
  slots[0].text = slots[0].text.replace("&gxHeap[@]", "&gxHeap[mxHeapCount]");
  const kept = reachable(slots, same, [0, last, ...rootsOf(before), ...rootsOf(after)]);
  const order = arrange(slots, kept, colours);
  const place = /** @type {number[]} */ ([]);
  order.forEach((old, at) => (place[old] = at));
  const packed = order.map((old) => ({
    ...slots[old],
    references: slots[old].references.map((to) => place[same[to]]),
  }));
  checkLookups(packed, colours);
  const moved = /** @type {number[]} */ (slots.map((_, at) => place[same[at]]));
  return writeSlots({ before: dropBuilders(before, packed, stripped), slots: packed, after }, moved);
}
