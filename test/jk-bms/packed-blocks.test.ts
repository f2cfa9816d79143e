/** What is stored of each of several packs on a bus. */
import { shapeOf } from "../support/bms/field-shape";
import { expect, it } from "vitest";
import { MAX_CELLS, VOLTAGES, WIRE_RESISTANCES } from "../../modules/jk-bms/cells";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { SECRETS } from "../../modules/jk-bms/image";
import { BLOCK_BYTES } from "../../modules/jk-bms/limits";
import { PackedBlocks, STORED_RANGES } from "../../modules/jk-bms/packed-blocks";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockImage, type BlockType } from "../../modules/jk-bms/types";
import { usedFields } from "../support/bms/used-fields";
import fc from "../support/property";

const BLOCKS = [SETUP, TELEMETRY, DEVICE_INFO] as const;
const stores = (block: BlockType, from: number, length: number): boolean =>
  STORED_RANGES[block].some((range) => from >= range.from && from + length <= range.to);

/** The bytes of a block that are stored. */
const stored = (block: BlockType, byteAt: (at: number) => number): number[] =>
  STORED_RANGES[block].flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => byteAt(from + at)));

it("is all that the firmware reads", () => {
  const used = usedFields();
  expect(used.size).toBeGreaterThan(50);
  for (const [name, field] of Object.entries(FIELDS)) {
    const { block, offset, length } = shapeOf(field);
    if (used.has(name)) expect(stores(block, offset, length), name).toBe(true);
  }
  for (const first of [VOLTAGES, WIRE_RESISTANCES]) expect(stores(TELEMETRY, first, 2 * MAX_CELLS)).toBe(true);
});

it("is no password", () => {
  for (const { from, to } of SECRETS)
    for (let at = from; at < to; at++) expect(stores(DEVICE_INFO, at, 1), `byte ${at}`).toBe(false);
});

it("is shown as it was stored last, every block of every pack its own, in the first, a middle and the last place", () => {
  const PLACES = 4;
  const storing = fc.record({
    place: fc.nat(PLACES - 1),
    block: fc.constantFrom(...BLOCKS),
    littleEndian: fc.boolean(),
    contradicts: fc.boolean(),
    start: fc.nat(9),
    bytes: fc.uint8Array({ minLength: BLOCK_BYTES + 9, maxLength: BLOCK_BYTES + 9 }),
  });
  fc.assert(
    fc.property(fc.array(storing, { minLength: 1, maxLength: 3 * BLOCKS.length * PLACES }), (storings) => {
      const packs = new PackedBlocks(PLACES, 0);
      const last = new Map<string, (typeof storings)[number]>();
      const expectShown = (image: BlockImage, place: number, block: BlockType): void => {
        const expected = last.get(`${place} ${block}`);
        expect(image.valid).toBe(expected !== undefined);
        if (!expected) return;
        const { bytes, start, littleEndian, contradicts } = expected;
        expect(image.littleEndian).toBe(littleEndian);
        expect(image.contradicts).toBe(block === TELEMETRY && contradicts);
        expect(stored(block, (at) => image.view.getUint8(at))).toEqual(stored(block, (at) => bytes[start + at]!));
      };
      for (const one of storings) {
        packs.store(
          one.place,
          one.block,
          one.littleEndian,
          one.bytes,
          one.start,
          one.block === TELEMETRY && one.contradicts,
        );
        last.set(`${one.place} ${one.block}`, one);
        // At once: another's may be shown at this moment.
        expectShown(packs.show(one.place, one.block), one.place, one.block);
      }
      for (let place = 0; place < PLACES; place++) {
        for (const block of BLOCKS) expectShown(packs.show(place, block), place, block);
        packs.load(place);
        for (const block of BLOCKS) expectShown(packs.working[block], place, block);
      }
    }),
  );
});

it("is not an image that is invalid", () => {
  const packs = new PackedBlocks(1, 0);
  packs.load(0);
  for (const block of BLOCKS) {
    packs.storeWorking(0, block);
    expect(packs.show(0, block).valid).toBe(false);
  }
});
