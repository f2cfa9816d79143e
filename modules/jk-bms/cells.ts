/** The cells of the telemetry block (docs/jk-modbus.md, "Telemetry"). Index 0 is cell 1. */
import * as FIELDS from "./field-table";
import { readRaw } from "./fields";
import type { BlockImage } from "./types";

export const MAX_CELLS = 32;

/** Byte offsets of the first cell's values (u16): registers 0x1200 + 2 × index and 0x124A + 2 × index. */
export const VOLTAGES = 0x00;
export const WIRE_RESISTANCES = 0x4a;

function cellWord(image: BlockImage, first: number, index: number): number {
  if (!(index >= 0 && index < MAX_CELLS)) throw new RangeError(`cell index ${index}`);
  return image.view.getUint16(first + 2 * index, image.littleEndian);
}

/** Millivolts. */
export function cellVoltage(image: BlockImage, index: number): number {
  return cellWord(image, VOLTAGES, index);
}

/** Measured resistance of the cell's balance lead, milliohms. */
export function cellResistance(image: BlockImage, index: number): number {
  return cellWord(image, WIRE_RESISTANCES, index);
}

/** Bit n: cell n + 1 is present. */
export function cellMask(image: BlockImage): number {
  return readRaw(image, FIELDS.cellsPresent);
}

export function cellPresent(image: BlockImage, index: number): boolean {
  return ((cellMask(image) >>> index) & 1) === 1;
}

/** Number of cells present, 0 to 32. */
export function cellsPresent(image: BlockImage): number {
  // Population count in parallel, eight times faster than bit by bit.
  let counts = cellMask(image);
  counts -= (counts >>> 1) & 0x55555555;
  counts = (counts & 0x33333333) + ((counts >>> 2) & 0x33333333);
  return Math.imul((counts + (counts >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Numbers (from 1) of the lowest and the highest cell as `lowest | (highest << 8)`, the first of equals; 0 without cells.
 * @param sum gets the sum of all voltages, mV
 */
export function extremeCells(image: BlockImage, sum?: { total: number }): number {
  const { view, littleEndian } = image;
  let rest = cellMask(image);
  let at = VOLTAGES;
  let voltage = 0;
  let lowest = -2;
  let highest = -2;
  let least = Infinity;
  let most = -1;
  let total = 0;
  // Not a `for` with its own variables: XS recreates them in each iteration.
  while (rest) {
    if (rest & 1) {
      voltage = view.getUint16(at, littleEndian);
      total += voltage;
      if (voltage < least) {
        least = voltage;
        lowest = at;
      }
      if (voltage > most) {
        most = voltage;
        highest = at;
      }
    }
    at += 2;
    rest >>>= 1;
  }
  if (sum) sum.total = total;
  return ((lowest >> 1) + 1) | (((highest >> 1) + 1) << 8);
}

/** Index of the lowest cell, the first of equals; -1 without cells. */
export function lowestCell(image: BlockImage): number {
  return (extremeCells(image) & 0xff) - 1;
}

export function highestCell(image: BlockImage): number {
  return (extremeCells(image) >> 8) - 1;
}
