import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { budgetOf, restOf } from "../../scripts/size/budget.mjs";
import { causes, partsOf, readHeap } from "../../scripts/size/heap.mjs";
import { BOARDS, checkFit, checkGenerator, slotBytes } from "../../scripts/moddable.mjs";

/** As xsl writes them. `next`: 0 for none. */
const slot = (at: number, next: number, kind: string, value: string, id = "XS_NO_ID"): string =>
  `/* ${String(at).padStart(4, "0")} */\t{ ${next ? `(txSlot*)&gxHeap[${next}]` : "NULL"}, ` +
  `{.ID = ${id}, .flag = 0x8b, .kind = XS_${kind}_KIND}, .value = { ${value} } },`;

const HEAP = [
  slot(0, 0, "REFERENCE", ".reference = (txSlot*)&gxHeap[1]"),
  // A class: its function with its environment, its prototype with a method.
  slot(1, 2, "INSTANCE", ".instance = { NULL, NULL }"),
  slot(2, 3, "CODE_X", '.code = { (txByte*)"\\x0f\\x00\\x9e", (txSlot*)&gxHeap[5] }'),
  slot(3, 4, "HOME", ".home = { NULL, NULL }"),
  slot(4, 0, "REFERENCE", ".reference = (txSlot*)&gxHeap[9]", "xsID_prototype"),
  slot(5, 6, "INSTANCE", ".instance = { NULL, NULL }"),
  slot(6, 7, "UNDEFINED", ".number = 0", "4"),
  slot(7, 0, "CLOSURE", ".closure = (txSlot*)&gxHeap[8]", "xsID_limit"),
  slot(8, 0, "INTEGER", ".integer = 7"),
  slot(9, 10, "INSTANCE", ".instance = { NULL, NULL }"),
  slot(10, 0, "REFERENCE", ".reference = (txSlot*)&gxHeap[1]", "xsID_constructor"),
  slot(11, 0, "KEY_X", '.key = { "limit", 0x1 }', "2000"),
  // An array of two, with the slot before its items.
  slot(12, 13, "INSTANCE", ".instance = { NULL, NULL }"),
  slot(13, 0, "ARRAY", ".array = { (txSlot*)&gxHeap[15], 2 }", "3"),
  slot(14, 0, "REFERENCE", ".reference = NULL"),
  slot(15, 0, "STRING_X", '.string = "limit"').replace("NULL", "(txSlot*)0"),
  slot(16, 0, "STRING_X", '.string = "a\\"b"').replace("NULL", "(txSlot*)1"),
  slot(17, 18, "INSTANCE", ".instance = { NULL, NULL }"),
  slot(18, 19, "ARRAY_BUFFER", '.arrayBuffer = { (txByte*)"\\x01\\x02", NULL }', "0"),
  slot(19, 0, "BUFFER_INFO", ".bufferInfo = { 2, -1 }", "0"),
];
const SOURCE = [
  "#define mxKeysCount 3",
  "static const txU1 gxCode13[115];",
  "static const xsHostBuilder gxBuilders4[2] = {",
  `static const txSlot gxHeap[mxHeapCount] = {`,
  ...HEAP,
  "",
  "static const txSlot gxStack[mxStackCount] = {",
  slot(0, 0, "REFERENCE", ".reference = (txSlot*)&gxHeap[1]").slice("/* 0000 */".length),
  "};",
  "",
].join("\n");

describe("the heap of mc.xs.c", () => {
  it("is read completely", () => {
    const heap = readHeap(SOURCE);
    expect(heap).toHaveLength(HEAP.length);
    expect(heap[4]).toMatchObject({ next: 0, id: "prototype", kind: "REFERENCE" });
  });

  it("must be as xsl writes it", () => {
    expect(() => readHeap(SOURCE.replace("XS_HOME_KIND", "7"))).toThrow("unknown form");
  });

  it("is counted by cause, each slot once", () => {
    const found = causes(readHeap(SOURCE));
    expect(Object.fromEntries([...found].map(([cause, { slots }]) => [cause, slots]))).toEqual({
      functions: 4,
      environments: 3,
      prototypes: 2,
      variables: 2,
      keys: 1,
      arrays: 5,
      "typed arrays": 3,
    });
    expect([...found.values()].reduce((total, { slots }) => total + slots, 0)).toBe(HEAP.length);
  });

  it("counts strings once with their NUL, and bytecode without", () => {
    expect(partsOf(SOURCE).bytes).toEqual({
      heap: HEAP.length * 16,
      bytecode: 3 + 115,
      "names and texts": 6 + 4,
      "bytes of typed arrays": 3,
      "tables of keys and natives": 3 * 6 + 2 * 8,
    });
  });
});

describe("the slot of an image", () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "image-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it("takes an image of its size, and not one byte more", () => {
    const image = join(folder, "xs_esp32.bin");
    writeFileSync(image, "");
    truncateSync(image, slotBytes());
    expect(() => checkFit(image)).not.toThrow();
    truncateSync(image, slotBytes() + 1);
    expect(() => checkFit(image)).toThrow("1 more than its slot");
  });

  it("is no smaller than the budget of any board, and each board has one", () => {
    for (const board of BOARDS) {
      expect(budgetOf(board).image).toBeLessThanOrEqual(slotBytes());
      expect(restOf(board)).toBeLessThan(budgetOf(board).image);
    }
    expect(() => budgetOf("none")).toThrow("no board none");
    expect(() => restOf("none")).toThrow("no board none");
  });
});

describe("the random numbers of TLS", () => {
  const map = (...members: string[]): string =>
    `Archive member included to satisfy reference by file (symbol)\n\n${members
      .map((member) => `esp-idf/libsome.a(${member})\n                              main.c.obj (some_symbol)\n`)
      .join("")}`;

  it("come from the device's own generator, as the linker's map shows", () => {
    expect(() => checkGenerator(map("rng.c.o", "rng-psa.c.o", "psa_crypto.c.obj"))).not.toThrow();
  });

  it.each([
    ["ESP-IDF's came first", ["rng.c.o", "esp_hardware.c.obj"]],
    ["both were linked", ["rng-psa.c.o", "esp_hardware.c.obj"]],
    ["the map is another program's", []],
  ])("fail the build if %s", (_, members) => {
    expect(() => checkGenerator(map(...members))).toThrow("rng-psa.c");
  });
});
