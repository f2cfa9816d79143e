/**
 * Reads and writes the preloaded heap of `mc.xs.c`, the C code that the SDK's linker xsl generates (xs/tools/xslSlot.c). The heap is a
 * table of slots, `gxHeap`, which refer to each other as `&gxHeap[N]`.
 */

const TABLE = /(static const txSlot gxHeap\[mxHeapCount\] = \{\n)([\s\S]*?)(\n?\};\n)/;
const SLOT =
  /^\t\{ (?:NULL|\(txSlot\*\)(&gxHeap\[@\]|\d+)), \{\.ID = (?:XS_NO_ID|xsID_([\w$]*)|(\d+)(?: \/\* .* \*\/)?), \.flag = (XS_NO_FLAG|0x[0-9a-f]+), \.kind = XS_(\w+)_KIND ?\}, .*\},?$/;
const KEY = /\.ID = (\d+), .*\.key = \{ "((?:[^"\\]|\\.)*)"/g;
const REFERENCE = /&gxHeap\[(\d+)\]/g;
const ANY_REFERENCE = /&(gxHeap|gxBuilders)\[(\d+)\]/g;
const HOLE = /&gxHeap\[@\]/g;

/** `XS_INTERNAL_FLAG` of the engine: not a property that a script can name. */
const INTERNAL = 1;

/** @returns {import("./slots.mjs").File} */
export function readSlots(source) {
  const [whole, open = "", table = "", close = ""] = TABLE.exec(source) ?? [];
  if (whole === undefined) throw new Error("mc.xs.c has no heap");
  const at = source.indexOf(whole);
  /** IDs by name: each key says both. */
  const keys = new Map([...table.matchAll(KEY)].map(([, id, name]) => [name, Number(id)]));
  const slots = table.split("\n").map((line, index) => {
    const [, number, code = ""] = /^\/\* (\d+) \*\/(.*)$/.exec(line) ?? [];
    const text = code.replace(REFERENCE, "&gxHeap[@]");
    const [, next, name, id = 0, flag = "", kind] = SLOT.exec(text) ?? [];
    if (Number(number) !== index || kind === undefined)
      throw new Error(`mc.xs.c has a slot of unknown form: ${line.slice(0, 200)}`);
    if (name !== undefined && !keys.has(name)) throw new Error(`mc.xs.c has no key ${name}`);
    return {
      text: text.replace(/,$/, ""),
      references: [...code.matchAll(REFERENCE)].map(([, to]) => Number(to)),
      hasNext: next?.startsWith("&") ?? false,
      id: keys.get(name) ?? Number(id),
      flag: Number(flag === "XS_NO_FLAG" ? 0 : flag),
      kind,
    };
  });
  return { before: source.slice(0, at) + open, slots, after: close + source.slice(at + whole.length) };
}

/** Numbers of the slots (`gxHeap`) or builders (`gxBuilders`) that a text refers to. */
export const numbersIn = (text, table) =>
  [...text.matchAll(ANY_REFERENCE)].filter(([, name]) => name === table).map(([, , at]) => Number(at));

/**
 * Writes what `readSlots` has read, with its slots in new places and fewer builders. Every reference of the file gets its new number here.
 * `moved`: by table, the new number by the old one. Throws if something refers to what is gone.
 */
export function writeSlots({ before, slots, after }, moved) {
  const lines = slots.map(({ text, references }, index) => {
    let at = 0;
    return `/* ${String(index).padStart(4, "0")} */${text.replace(HOLE, () => `&gxHeap[${references[at++]}]`)}`;
  });
  const counted = before.replace(/^#define mxHeapCount \d+$/m, `#define mxHeapCount ${slots.length}`);
  return [counted, lines.join(",\n"), after].join("").replace(ANY_REFERENCE, (reference, table, at) => {
    const to = moved[table][at];
    if (to === undefined) throw new Error(`mc.xs.c refers to ${reference}, which is gone`);
    return `&${table}[${to}]`;
  });
}

export const isProperty = ({ id, flag, kind }) => id > 0 && !(flag & INTERNAL) && kind !== "INSTANCE";
export const nextOf = ({ hasNext, references }) => (hasNext ? references[0] : 0);
