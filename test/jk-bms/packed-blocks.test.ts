/** What is kept of a pack that shares the buffers of others. */
import { expect, it } from "vitest";
import { MAX_CELLS, VOLTAGES, WIRE_RESISTANCES } from "../../modules/jk-bms/cells";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { Images, SECRETS } from "../../modules/jk-bms/image";
import { BLOCK_BYTES, PACKED_BYTES } from "../../modules/jk-bms/limits";
import { KEPT, PackedBlocks } from "../../modules/jk-bms/packed-blocks";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockType } from "../../modules/jk-bms/types";
import { usedFields } from "../support/bms/used-fields";

const BLOCKS = [SETUP, TELEMETRY, DEVICE_INFO] as const;
const keeps = (block: BlockType, from: number, length: number): boolean =>
  KEPT[block].some((range) => from >= range.from && from + length <= range.to);

it("is all that the firmware reads, and fills the bytes exactly", () => {
  const used = usedFields();
  expect(used.size).toBeGreaterThan(50);
  for (const [name, { block, offset, length }] of Object.entries(FIELDS))
    if (used.has(name)) expect(keeps(block, offset, length), name).toBe(true);
  for (const first of [VOLTAGES, WIRE_RESISTANCES]) expect(keeps(TELEMETRY, first, 2 * MAX_CELLS)).toBe(true);
  const bytes = BLOCKS.flatMap((block) => KEPT[block]).reduce((sum, { from, to }) => sum + to - from, 0);
  // A byte of flags follows them.
  expect(bytes + 1).toBe(PACKED_BYTES);
});

it("is no password", () => {
  for (const { from, to } of SECRETS)
    for (let at = from; at < to; at++) expect(keeps(DEVICE_INFO, at, 1), `byte ${at}`).toBe(false);
});

it("is shown as it was, of each pack its own", () => {
  const images = new Images();
  const packs = new PackedBlocks(2);
  const bytes = Uint8Array.from({ length: BLOCK_BYTES + 6 }, (_, index) => (index * 7) & 0xff);
  for (const block of BLOCKS) {
    packs.show(0, block, images[block]);
    expect(images[block].valid).toBe(false);
    packs.keep(0, block, true, bytes, 6);
    packs.keep(1, block, false, bytes, 5);
    for (const index of [0, 1]) {
      const { revision } = images[block];
      packs.show(index, block, images[block]);
      expect([images[block].valid, images[block].littleEndian]).toEqual([true, index === 0]);
      expect(images[block].revision).not.toBe(revision);
      for (const { from, to } of KEPT[block])
        for (let at = from; at < to; at++) expect(images[block].view.getUint8(at)).toBe(bytes[at + 6 - index]);
    }
    packs.clear(0);
    packs.show(0, block, images[block]);
    expect(images[block].valid).toBe(false);
    packs.show(1, block, images[block]);
    expect(images[block].valid).toBe(true);
  }
});
