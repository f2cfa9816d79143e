import { readFileSync } from "node:fs";

interface Creation {
  readonly chunk: { readonly initial: number };
  readonly heap: { readonly initial: number };
}

const { creation, platforms } = JSON.parse(readFileSync("manifest.json", "utf8")) as {
  creation: Creation & { readonly stack: number };
  platforms: { readonly "esp32/esp32c3": { readonly creation: Creation } };
};

const of = ({ heap, chunk }: Creation): { readonly slots: number; readonly chunks: number } => ({
  slots: heap.initial,
  chunks: chunk.initial,
});

/** XS's memory on the ESP32 and the S3; a slot there has 16 bytes. */
export const DEVICE = { ...of(creation), stack: creation.stack };

/** And on the ESP32-C3, the board with the least. */
export const C3 = { ...of(platforms["esp32/esp32c3"].creation), stack: creation.stack };

/** What the firmware may have alive at its peak with one pack; the rest of the C3's memory is for seven further ones. */
export const BUDGET = { slots: 2464, chunks: 39_424 };

/** Chunks of a 64-bit engine take at least so many times the bytes of the device's under all loads (docs/performance.md). */
export const WIDE = 1.15;
