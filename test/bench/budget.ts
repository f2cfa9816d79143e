import { readFileSync } from "node:fs";

const { creation } = JSON.parse(readFileSync("manifest.json", "utf8")) as {
  creation: {
    readonly chunk: { readonly initial: number };
    readonly heap: { readonly initial: number };
    readonly stack: number;
  };
};

/** XS's memory on each board; a slot there has 16 bytes. */
export const DEVICE = { slots: creation.heap.initial, chunks: creation.chunk.initial, stack: creation.stack };

/** What the firmware may have alive at its peak with one pack; the rest is for seven further ones. */
export const BUDGET = { slots: 2752, chunks: 39_424 };

/** Chunks of a 64-bit engine take at least so many times the bytes of the device's under all loads (docs/performance.md). */
export const WIDE = 1.15;
/** XS's memory on each board, as a 64-bit engine needs it. */
export const WIDE_DEVICE = { ...DEVICE, chunks: Math.floor(WIDE * DEVICE.chunks) };

/**
 * Less than a board has, by 696 slots and 8 KB of chunks, as a 64-bit engine needs it: the floor of src/health is reached, and clients are still
 * served.
 */
export const SHORT_DEVICE = { ...DEVICE, slots: 3_400, chunks: Math.floor(WIDE * 57_344) };
