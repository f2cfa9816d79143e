import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pack } from "../../scripts/shrink/heap/pack.mjs";
import { readSlots, type Slot } from "../../scripts/shrink/heap/slots.mjs";

/** By key, 1 to 4: how far behind its object the engine looks for a property. */
const COLOURS = [0, 1, 2, 3, 1, 0];

const to = (at: number): string => (at ? `(txSlot*)&gxHeap[${at}]` : "NULL");
const slot = (next: number, kind: string, value: string, id: number | string = "XS_NO_ID", flag = "0x8e"): string =>
  `\t{ ${to(next)}, {.ID = ${id}, .flag = ${flag}, .kind = XS_${kind}_KIND}, .value = { ${value} } }`;
const instance = (next: number, flag = "0xd0"): string =>
  slot(next, "INSTANCE", ".instance = { NULL, NULL }", "XS_NO_ID", flag);
const environment = (next: number): string => slot(next, "UNDEFINED", ".number = 0", 9, "0x8b");
const closure = (next: number, at: number): string =>
  slot(next, "CLOSURE", `.closure = ${to(at)}`, "xsID_name").replace("0x8e", "0x8a");
const code = (next: number, bytes: string, at: number): string =>
  slot(next, "CODE_X", `.code = { (txByte*)"${bytes}", ${to(at)} }`, "xsID_name", "0x8b");
const home = (id: number): string => slot(0, "HOME", ".home = { NULL, NULL }", id, "0x8b");
const native = (next: number, builder: number, name: string): string =>
  slot(next, "HOST_FUNCTION", `.hostFunction = { &gxBuilders[${builder}], 7 }`, `xsID_${name}`);

/** Three functions with environments, an object with a built-in function that is used and one that is not, an array. */
const SLOTS = [
  slot(0, "REFERENCE", ".reference = (txSlot*)&gxHeap[41]", "XS_NO_ID", "XS_NO_FLAG"),
  // 1: an object with three properties: stripped, used, stripped.
  instance(2),
  native(3, 0, "one"),
  native(4, 1, "two"),
  native(0, 2, "name"),
  // 5, 8, 11: functions.
  instance(6),
  code(7, "\\x0c\\x00\\x44\\x00\\x00", 14),
  home(23),
  instance(9),
  code(10, "\\x0c\\x00\\x44", 18),
  home(24),
  instance(12),
  code(13, "\\x0c\\x01\\x45\\x00", 23),
  home(25),
  // 14: an environment of one and two.
  instance(15, "0xd1"),
  environment(16),
  closure(17, 29),
  closure(0, 30),
  // 18: of one, two and three: the one before is its beginning.
  instance(19, "0xd1"),
  environment(20),
  closure(21, 29),
  closure(22, 30),
  closure(0, 31),
  // 23: of two and three: the same end.
  instance(24, "0xd1"),
  environment(25),
  closure(26, 30),
  closure(0, 31),
  // 27: keys, variables, and the last slot.
  slot(0, "KEY_X", '.key = { "one", 0x1 }', 1, "0x87"),
  slot(27, "KEY_X", '.key = { "two", 0x1 }', 2, "0x87"),
  slot(0, "INTEGER", ".integer = 1", "XS_NO_ID", "0x8c"),
  // A property of an object may have an empty name.
  slot(0, "INTEGER", ".integer = 2", "xsID_", "0x8c"),
  slot(0, "INTEGER", ".integer = 3", "XS_NO_ID", "0x8c"),
  slot(28, "KEY_X", '.key = { "name", 0x1 }', 3, "0x87"),
  // 33: an array of two, whose items lie behind a slot with their size.
  instance(34),
  slot(0, "ARRAY", ".array = { (txSlot*)&gxHeap[36], 2 }", 3, "0x8f"),
  slot(0, "INTEGER", ".integer = 2 * sizeof(txSlot)", "XS_NO_ID", "0x80"),
  slot(0, "STRING_X", '.string = "@], \\"{ NULL"').replace("NULL", "(txSlot*)0"),
  slot(0, "REFERENCE", ".reference = (txSlot*)&gxHeap[1]").replace("NULL", "(txSlot*)1"),
  slot(39, "KEY_X", '.key = { "fits", 0x1 }', 4, "0x87"),
  slot(32, "KEY_X", '.key = { "", 0x1 }', 5, "0x87"),
  slot(0, "REFERENCE", ".reference = NULL", "XS_NO_ID", "XS_NO_FLAG"),
];
/** The stack refers to the object, the three functions and the array. */
const ROOTS = [1, 5, 8, 11, 33, 38];
/** And to built-in functions of its own, one of which is stripped: as the engine's for the iterator of arrays and for regular expressions. */
const INTRINSICS = [4, 3];

const BUILDERS = [
  "fxDeadStrip, 1, xsID_one",
  "fx_Array_prototype_at, 1, xsID_two",
  "fxDeadStrip, 1, xsID_name",
  "fxDeadStrip, 1, xsID_one",
  "fx_Array_prototype_values, 0, xsID_two",
  // Nothing refers to this one: a constructor, whose slot has its callback.
  "fx_RangeError, 1, xsID_name",
].map((row) => `\t{ ${row} },`);

const source = (slots = SLOTS): string =>
  [
    `#define mxHeapCount ${slots.length}`,
    "static const txSlot gxHeap[mxHeapCount];",
    `static const xsHostBuilder gxBuilders[${BUILDERS.length}] = {`,
    ...BUILDERS,
    "};",
    "",
    "static const xsHostBuilder gxBuilders3[1] = {",
    "\t{ xs_rng_get, 1, xsID_one },",
    "};",
    "",
    "static const txSlot gxHeap[mxHeapCount] = {",
    slots.map((text, at) => `/* ${String(at).padStart(4, "0")} */${text}`).join(",\n"),
    "};",
    "",
    "static const txSlot gxStack[mxStackCount] = {",
    ...ROOTS.map((at) => `${slot(0, "REFERENCE", `.reference = ${to(at)}`)},`),
    ...INTRINSICS.map((at) => `${native(0, at, "one")},`),
    "};",
    "",
    "static const txSlot* const gxSlotData[mxSlotCount] ICACHE_FLASH1_ATTR = {",
    `\t${to(33)}`,
    "};",
    "",
    "static const txID gxColors[mxKeysCount] ICACHE_FLASH1_ATTR = {",
    ...COLOURS.map((colour) => `\t${colour},`),
    "};",
    "",
    "static const txSlot* const gxKeys[mxKeysCount] ICACHE_FLASH1_ATTR = {",
    ["NULL", ...[27, 28, 32, 38, 39].map(to)].map((key) => `\t${key}`).join(",\n"),
    "};",
    "",
    "static const txPreparation gxPreparation = {",
    "\tmxHeapCount,",
    "\t(txSlot*)gxHeap,",
    "\t(txSlot*)gxStack,",
    "};",
    "",
  ].join("\n");

interface Heap {
  readonly slots: readonly Slot[];
  readonly roots: readonly number[];
}

function read(text: string): Heap {
  const { slots, after } = readSlots(text);
  return { slots, roots: [...after.matchAll(/&gxHeap\[(\d+)\]/g)].map(([, at]) => Number(at)) };
}

const { slots: packed, roots } = read(pack(source()));

const chain = (first: number): number[] => {
  const places: number[] = [];
  for (let on = first; on; on = packed[on]!.hasNext ? packed[on]!.references[0]! : 0) places.push(on);
  return places;
};
const kinds = (first: number): string[] => chain(first).map((on) => packed[on]!.kind);
/** A function's environment. */
const environmentOf = (root: number): number => packed[chain(root)[1]!]!.references.at(-1)!;
/** The numbers in the variables that a function's environment begins with. */
const variables = (root: number, count: number): string[] =>
  chain(environmentOf(root))
    .slice(2, 2 + count)
    .map((on) => /\.integer = (\d)/.exec(packed[packed[on]!.references.at(-1)!]!.text)![1]!);

describe("packing the linker's output", () => {
  it("is tested on the file that the golden test packs", () => {
    expect(source()).toBe(readFileSync("test/fixtures/shrink/heap.in.c.txt", "utf8"));
  });

  it("leaves each function the variables that it takes from its environment, in their order", () => {
    expect(variables(roots[1]!, 2)).toEqual(["1", "2"]);
    expect(variables(roots[2]!, 3)).toEqual(["1", "2", "3"]);
    expect(variables(roots[3]!, 2)).toEqual(["2", "3"]);
  });

  it("shares an environment that another begins with, the ends of their lists, and homes", () => {
    expect(environmentOf(roots[1]!)).toBe(environmentOf(roots[2]!));
    expect(environmentOf(roots[3]!)).not.toBe(environmentOf(roots[2]!));
    expect(chain(environmentOf(roots[3]!)).slice(2)).toEqual(chain(environmentOf(roots[2]!)).slice(3));
    expect(new Set(roots.slice(1, 4).map((root) => chain(root)[2])).size).toBe(1);
  });

  it("takes out what nobody uses: stripped built-in functions with their builders, slots, zeros behind a function", () => {
    expect(kinds(roots[0]!)).toEqual(["INSTANCE", "HOST_FUNCTION"]);
    expect(packed[chain(roots[0]!)[1]!]!.text).toContain("&gxBuilders[0]");
    expect(pack(source())).toContain(`gxBuilders[3] = {\n${[1, 3, 4].map((at) => `${BUILDERS[at]}\n`).join("")}};`);
    expect(packed[chain(roots[1]!)[1]!]!.text).toContain('"\\x0c\\x00\\x44"');
    // Two built-ins, two homes, an environment of four, the closures of an end, and two bytes' worth of nothing else.
    expect(packed).toHaveLength(SLOTS.length - 2 - 2 - 4 - 2);
    expect(pack(source())).toContain(`#define mxHeapCount ${packed.length}\n`);
  });

  it("keeps an array's items together and as they are", () => {
    const [, array] = chain(roots[4]!);
    const [items] = packed[array!]!.references;
    expect(packed[items! - 1]!.text).toContain("2 * sizeof(txSlot)");
    expect(packed[items!]!.text).toContain('"@], \\"{ NULL"');
    expect(packed[items! + 1]!.references).toEqual([roots[0]]);
  });

  it("keeps a property behind its object where its key's colour says", () => {
    expect(chain(roots[0]!)[1]).toBe(roots[0]! + COLOURS[2]!);
  });

  it("puts no slot where it would be taken for an object's property", () => {
    for (const [place, { kind, id }] of packed.entries())
      if (kind === "KEY_X") expect(packed[place - COLOURS[id]!]!.kind).not.toBe("INSTANCE");
  });

  it("leaves the stack the built-in functions that it had, a stripped one too", () => {
    const rows = /gxBuilders\[\d+\] = \{\n([^}]*\},\n)*?\};/.exec(pack(source()))![0].split("\n").slice(1, -1);
    const stack = /gxStack\[[^]*?\n\};/.exec(pack(source()))![0];
    const builders = [...stack.matchAll(/&gxBuilders\[(\d+)\]/g)].map(([, at]) => rows[Number(at)]);
    expect(builders).toEqual(INTRINSICS.map((at) => BUILDERS[at]));
  });

  it.each([
    ["a slot", source().replace("XS_HOME_KIND", "7"), "slot of unknown form"],
    ["a slot out of order", source().replace("/* 0003 */", "/* 0004 */"), "slot of unknown form"],
    ["a key", source().replace('"two"', '"too"'), "no key two"],
    ["an array", source().replace("2 * sizeof(txSlot)", "2"), "array of unknown form"],
    ["a function", source().replace("\\x44\\x00\\x00", "\\x43\\x00\\x00"), "function without an end"],
    ["a heap", source().replaceAll("gxHeap[mxHeapCount]", "gxHeap[]"), "no heap"],
  ])("refuses %s of unknown form", (_, text, message) => {
    expect(() => pack(text)).toThrow(message);
  });
});
