/** The cells of the telemetry block (jk-modbus: 2.2). Index 0 is cell 1. */
import { FIELDS, readRaw } from "./fields";
import type { BlockImage } from "./types";

export const MAX_CELLS = 32;

/** Registers 0x1200 + 2 × index and 0x124A + 2 × index. */
const VOLTAGES = 0x00;
const WIRE_RESISTANCES = 0x4a;

function cellWord({ view, littleEndian }: BlockImage, first: number, index: number): number {
  if (!(index >= 0 && index < MAX_CELLS)) throw new RangeError(`cell index ${index}`);
  return view.getUint16(first + 2 * index, littleEndian);
}

/** Millivolts. */
export function cellVoltage(image: BlockImage, index: number): number {
  return cellWord(image, VOLTAGES, index);
}

/** Milliohms of the cell's balance lead, as measured. */
export function cellResistance(image: BlockImage, index: number): number {
  return cellWord(image, WIRE_RESISTANCES, index);
}

/** Bit n: cell n + 1 is there. */
export function cellMask(image: BlockImage): number {
  return readRaw(image, FIELDS.cellsPresent);
}

export function cellPresent(image: BlockImage, index: number): boolean {
  return ((cellMask(image) >>> index) & 1) === 1;
}

/** Cells that are there, 0 to 32. */
export function cellsPresent(image: BlockImage): number {
  let count = 0;
  for (let mask = cellMask(image); mask; mask &= mask - 1) count++;
  return count;
}

/** Index of the lowest (`sign` 1) or the highest (`sign` -1) cell, the first of equals; -1 without cells. */
function extremeCell(image: BlockImage, sign: 1 | -1): number {
  const { view, littleEndian } = image;
  let found = -1;
  let extreme = Infinity;
  let voltage = 0;
  for (let index = 0, rest = cellMask(image); rest; index++, rest >>>= 1) {
    if (!(rest & 1)) continue;
    voltage = sign * view.getUint16(VOLTAGES + 2 * index, littleEndian);
    if (voltage >= extreme) continue;
    extreme = voltage;
    found = index;
  }
  return found;
}

export function lowestCell(image: BlockImage): number {
  return extremeCell(image, 1);
}

export function highestCell(image: BlockImage): number {
  return extremeCell(image, -1);
}

/** Millivolts between the highest and the lowest cell; 0 without cells. */
export function cellDelta(image: BlockImage): number {
  const lowest = lowestCell(image);
  return lowest < 0 ? 0 : cellVoltage(image, highestCell(image)) - cellVoltage(image, lowest);
}
