/** Today's range of each cell: from the device, and what the page sees itself. */
import type { Cell } from "./documents";

/** V, by the cell's number less one; undefined: unknown. */
export type CellRanges = readonly (readonly [low: number, high: number] | undefined)[];

const UNKNOWN = 0xffff;

/** Of /web/records?series=today: two big-endian words each, mV. */
export function cellRanges(bytes: Uint8Array): CellRanges {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length >> 2 }, (_, cell) => {
    const [low, high] = [words.getUint16(4 * cell), words.getUint16(4 * cell + 2)];
    return low === UNKNOWN || high === UNKNOWN ? undefined : [low / 1_000, high / 1_000];
  });
}

/** The device looks every ten seconds: what is measured now is within the range. */
export function rangeOf(ranges: CellRanges | undefined, { number, voltage }: Cell): CellRanges[number] {
  const range = ranges?.[number - 1];
  return range && [Math.min(range[0], voltage), Math.max(range[1], voltage)];
}
