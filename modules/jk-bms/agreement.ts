import { STORED_RANGES } from "./packed-blocks";
import { DEVICE_INFO, type BlockType } from "./types";

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Counters of the device information, which change from read to read: runtime and power-ons. */
const COUNTERS = 0x20;
const COUNTERS_END = 0x28;

/** What is kept of a block, at byte `start`, as a number (FNV-1a), without what changes by itself: never 0. */
export function sumOf(block: BlockType, bytes: Uint8Array, start = 0): number {
  let sum = FNV_OFFSET ^ block;
  let at = 0;
  let end = 0;
  for (const range of STORED_RANGES[block]) {
    end = start + range.to;
    for (at = start + range.from; at < end; at++)
      if (block !== DEVICE_INFO || at - start < COUNTERS || at - start >= COUNTERS_END)
        sum = Math.imul(sum ^ (bytes[at] as number), FNV_PRIME);
  }
  return sum || 1;
}
