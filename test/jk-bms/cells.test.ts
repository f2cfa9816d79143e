import fc from "../support/property";
import { describe, expect, it } from "vitest";
import {
  cellMask,
  cellPresent,
  cellResistance,
  cellsPresent,
  cellVoltage,
  highestCell,
  lowestCell,
  MAX_CELLS,
} from "../../modules/jk-bms/cells";
import { BLOCK_BYTES } from "../../modules/jk-bms/limits";
import type { BlockImage } from "../../modules/jk-bms/types";

function imageOf(voltages: readonly number[], mask: number, littleEndian: boolean): BlockImage {
  const view = new DataView(new ArrayBuffer(BLOCK_BYTES));
  voltages.forEach((voltage, index) => {
    view.setUint16(2 * index, voltage, littleEndian);
    view.setUint16(0x4a + 2 * index, 1000 + index, littleEndian);
  });
  view.setUint32(0x40, mask >>> 0, littleEndian);
  return { view, littleEndian, valid: true };
}

const voltages = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: MAX_CELLS, maxLength: MAX_CELLS });

describe("the cells", () => {
  it("match any mask, in either byte order", () => {
    fc.assert(
      fc.property(voltages, fc.integer(), fc.boolean(), (list, mask, littleEndian) => {
        const image = imageOf(list, mask, littleEndian);
        const present = list.map((_, index) => index).filter((index) => (mask >>> index) & 1);
        expect(cellMask(image)).toBe(mask >>> 0);
        expect(cellsPresent(image)).toBe(present.length);
        list.forEach((voltage, index) => {
          expect(cellVoltage(image, index)).toBe(voltage);
          expect(cellResistance(image, index)).toBe(1000 + index);
          expect(cellPresent(image, index)).toBe(present.includes(index));
        });
        const there = present.map((index) => list[index] as number);
        const [least, most] = [Math.min(...there), Math.max(...there)];
        expect(lowestCell(image)).toBe(present.find((index) => list[index] === least) ?? -1);
        expect(highestCell(image)).toBe(present.find((index) => list[index] === most) ?? -1);
      }),
    );
  });

  it("may have 0 V: a single cell is both the lowest and the highest", () => {
    const image = imageOf([0], 1, false);
    expect([lowestCell(image), highestCell(image)]).toEqual([0, 0]);
  });

  it("do not exist before the first reply", () => {
    const image = imageOf([], 0, false);
    expect([cellsPresent(image), lowestCell(image), highestCell(image)]).toEqual([0, -1, -1]);
  });

  it.each([-1, 32, NaN])("have no index %d", (index) => {
    const image = imageOf([], -1, false);
    expect(() => cellVoltage(image, index)).toThrow(new RangeError(`cell index ${index}`));
    expect(() => cellResistance(image, index)).toThrow(RangeError);
    expect(cellVoltage(image, 31)).toBe(0);
  });
});
