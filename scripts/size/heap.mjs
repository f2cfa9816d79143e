/**
 * Parses `mc.xs.c`, the C code that xsl generates for the modules linked into flash, and reports the contents of its
 * heap. The heap is a table of slots: an instance is a slot whose `next` leads through its properties.
 */

/** Size of a slot on a 32-bit processor, bytes. */
export const SLOT_BYTES = 16;

const SLOT =
  /^\/\* (\d+) \*\/\t\{ (?:NULL|\(txSlot\*\)(?:&gxHeap\[(\d+)\]|\d+)), \{\.ID = ([^,]+?), \.flag = (\w+), \.kind = XS_(\w+)_KIND\}(.*)$/;
const POINTER = /&gxHeap\[(\d+)\]/g;

/** @returns {{ next: number, id: string, kind: string, value: string }[]} */
export function readHeap(source) {
  const start = source.indexOf("gxHeap[mxHeapCount] = {\n");
  const table = source.slice(start, source.indexOf("gxStack[mxStackCount] = {", start)).matchAll(/^\/\* \d+ \*\/.*$/gm);
  return [...table].map(([line]) => {
    const [, , next, id, , kind, value] = SLOT.exec(line) ?? [];
    if (kind === undefined || id === undefined || value === undefined)
      throw new Error(`mc.xs.c has a slot of unknown form: ${line}`);
    return { next: Number(next ?? 0), id: id.replace(/^xsID_/, ""), kind, value };
  });
}

const pointers = ({ value }) => [...value.matchAll(POINTER)].map(([, at]) => Number(at));

/** Type of an instance, determined from its first properties. */
function causeOf(kinds, isPrototype) {
  const [first] = kinds;
  if (kinds.includes("CODE_X") || kinds.includes("CODE")) return "functions";
  if (first === "CALLBACK_X" || first === "HOST_FUNCTION") return "natives";
  if (first === "CLOSURE" || kinds.some((kind) => kind === "CLOSURE")) return "environments";
  if (first === "MODULE" || first === "EXPORT" || kinds.includes("EXPORT")) return "modules";
  if (first === "TYPED_ARRAY" || first === "DATA_VIEW") return "typed arrays";
  if (first === "ARRAY_BUFFER") return "typed arrays";
  if (first === "ARRAY") return "arrays";
  if (isPrototype) return "prototypes";
  return "objects";
}

/**
 * Slots of the heap by purpose.
 * @returns {Map<string, { count: number, slots: number }>} number of instances (or items), and slots
 */
export function causes(heap) {
  const found = new Map();
  const taken = new Uint8Array(heap.length);
  const add = (cause, slots) => {
    const entry = found.get(cause) ?? { count: 0, slots: 0 };
    found.set(cause, { count: entry.count + 1, slots: entry.slots + slots });
  };
  const prototypes = new Set(
    heap.filter(({ id, kind }) => id === "prototype" && kind === "REFERENCE").flatMap(pointers),
  );
  heap.forEach((slot, at) => {
    if (slot.kind !== "INSTANCE") return;
    const chain = [];
    taken[at] = 1;
    for (let on = slot.next; on && !taken[on]; on = heap[on].next) {
      taken[on] = 1;
      chain.push(heap[on]);
    }
    const cause = causeOf(
      chain.map(({ kind }) => kind),
      prototypes.has(at),
    );
    let items = 0;
    if (cause === "arrays")
      for (const address of pointers(chain[0])) {
        // A slot before the items holds the length.
        const length = Number(/, (\d+) \}/.exec(chain[0].value)?.[1] ?? 0);
        for (let index = address - 1; index < address + length; index++) taken[index] = 1;
        items = length + 1;
      }
    add(cause, 1 + chain.length + items);
  });
  heap.forEach(({ kind }, at) => {
    if (taken[at]) return;
    add(kind.startsWith("KEY") ? "keys" : "variables", 1);
  });
  return found;
}

const LITERAL = /"((?:[^"\\]|\\.)*)"/g;
const literals = (text) => [...text.matchAll(LITERAL)].map(([, inside]) => inside);
/** Bytes of a C literal as written by xsl, without its NUL. */
const bytesOf = (literal) => literal.replace(/\\x[0-9a-f]{2}|\\./g, ".").length;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const counts = (source, pattern) => sum([...source.matchAll(pattern)].map(([, count]) => Number(count)));

/** Per key: a pointer to its slot, and its index in the instances' slots (`gxKeys`, `gxColors`). */
const KEY_BYTES = 4 + 2;
/** Function, arguments and name of a native. */
const BUILDER_BYTES = 8;

/** Compiled size of `mc.xs.c` on a 32-bit processor, bytes by kind. */
export function partsOf(source) {
  const heap = readHeap(source);
  const code = heap.filter(({ kind }) => kind === "CODE_X");
  const buffers = heap.filter(({ kind }) => kind === "ARRAY_BUFFER");
  // The C compiler merges identical strings.
  const texts = new Set(
    heap.flatMap(({ kind, value }) => (kind === "CODE_X" || kind === "ARRAY_BUFFER" ? [] : literals(value))),
  );
  return {
    slots: heap.length,
    causes: causes(heap),
    bytes: {
      heap: heap.length * SLOT_BYTES,
      bytecode:
        sum(code.flatMap(({ value }) => literals(value).map(bytesOf))) +
        counts(source, /^static const txU1 gxCode\d+\[(\d+)\];/gm),
      "names and texts": sum([...texts].map((text) => bytesOf(text) + 1)),
      "bytes of typed arrays": sum(buffers.flatMap(({ value }) => literals(value).map((text) => bytesOf(text) + 1))),
      "tables of keys and natives":
        Number(/mxKeysCount (\d+)/.exec(source)?.[1] ?? 0) * KEY_BYTES +
        counts(source, /xsHostBuilder gxBuilders\d*\[(\d+)\] = /g) * BUILDER_BYTES,
    },
  };
}
