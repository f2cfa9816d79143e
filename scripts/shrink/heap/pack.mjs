/** Makes `mc.xs.c`, the output of the SDK's linker, smaller without changing what the firmware does. */
import { arrange } from "./layout.mjs";
import { prove } from "./proof.mjs";
import { equalSlots, reachable, unlinkStripped } from "./share.mjs";
import { numbersIn, readSlots, writeSlots } from "./slots.mjs";

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

/** Drops the builders that nothing in the file refers to. `moved`: gets the new numbers of the others. @returns {string} `before` without them */
function dropBuilders({ before, slots, after }, moved) {
  const used = new Set(
    [before, after, ...slots.map(({ text }) => text)].flatMap((text) => numbersIn(text, "gxBuilders")),
  );
  return before.replace(BUILDERS, (_, open, __, middle, table, close) => {
    const rows = table.trimEnd().split("\n");
    const kept = [...rows.keys()].filter((at) => used.has(at));
    kept.forEach((old, at) => (moved[old] = at));
    return `${open}${kept.length}${middle}${kept.map((at) => `${rows[at]}\n`).join("")}${close}`;
  });
}

const strippedIn = (source) =>
  new Set(
    (BUILDERS.exec(source)?.[4] ?? "")
      .split("\n")
      .flatMap((line, at) => (line.startsWith("\t{ fxDeadStrip,") ? [at] : [])),
  );

/** Without the proof: the test of the proof takes parts of it out. */
export function packed(source) {
  const { slots: read, before, after } = readSlots(source);
  /** @type {any[]} */
  const slots = read;
  const colours = (COLOURS.exec(source)?.[1] ?? "").split(",").map(Number);
  unlinkStripped(slots, strippedIn(source));
  trimCode(slots);
  const same = equalSlots(slots);
  const last = slots.length - 1;
  // The first slot refers to what is behind the last.
  slots[0].references.length = 0;
  slots[0].text = slots[0].text.replace("&gxHeap[@]", "&gxHeap[mxHeapCount]");
  const roots = [before, after].flatMap((text) => numbersIn(text, "gxHeap"));
  const order = arrange(slots, reachable(slots, same, [0, last, ...roots]), colours);
  const place = /** @type {number[]} */ ([]);
  order.forEach((old, at) => (place[old] = at));
  const moved = {
    gxHeap: slots.map((_, at) => place[same[at] ?? at]),
    gxBuilders: /** @type {number[]} */ ([]),
  };
  const file = { before, slots: order.map((old) => slots[old]), after };
  return writeSlots({ ...file, before: dropBuilders(file, moved.gxBuilders) }, moved);
}

/** @param {string} source `mc.xs.c` @returns {string} the same with fewer slots. Throws if it is not as xsl writes it, or not the same. */
export function pack(source) {
  const made = packed(source);
  prove(source, made);
  return made;
}
