import { PACKED_BYTES } from "./limits";
import type { Image } from "./image";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockType } from "./types";

/** Bytes [from, to) of a block that are kept. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** What is kept of each block: all that fields.ts and cells.ts read. Never the passwords of the device information. */
export const KEPT = Object.freeze(
  {
    [SETUP]: [
      { from: 0x00, to: 0x18 },
      { from: 0x20, to: 0x24 },
      { from: 0x28, to: 0x2c },
      { from: 0x48, to: 0x80 },
      { from: 0x84, to: 0x88 },
      { from: 0x114, to: 0x116 },
    ],
    [TELEMETRY]: [
      { from: 0x00, to: 0xd6 },
      { from: 0x104, to: 0x10e },
    ],
    [DEVICE_INFO]: [
      { from: 0x00, to: 0x38 },
      { from: 0x48, to: 0x60 },
    ],
  } as Readonly<Record<BlockType, readonly Range[]>>,
  true,
);

/** Where each block begins in the packed bytes. */
const BEGINS = Object.freeze({ [TELEMETRY]: 0, [SETUP]: 224, [DEVICE_INFO]: 318 } as const, true);
/** Behind the blocks: bit `block`: it has been read; bit `block` + 4: it is little-endian. */
const FLAGS = PACKED_BYTES - 1;

/** The blocks of several packs without what nobody reads of them: PACKED_BYTES for each, in one buffer, instead of three blocks. */
export class PackedBlocks {
  private readonly bytes: Uint8Array;

  /** @param places one for each pack */
  constructor(places: number) {
    this.bytes = new Uint8Array(places * PACKED_BYTES);
  }

  /** Keeps what is needed of a whole block, whose first byte is at `start`. */
  keep(place: number, block: BlockType, littleEndian: boolean, from: Uint8Array, start: number): void {
    const { bytes } = this;
    const base = place * PACKED_BYTES;
    let at = base + BEGINS[block];
    for (const range of KEPT[block]) {
      bytes.set(from.subarray(start + range.from, start + range.to), at);
      at += range.to - range.from;
    }
    const flags = (bytes[base + FLAGS] as number) & ~(0x10 << block);
    bytes[base + FLAGS] = flags | (1 << block) | (littleEndian ? 0x10 << block : 0);
  }

  /** Makes `image` that of this pack; bytes that are not kept stay as they are. */
  show(place: number, block: BlockType, image: Image): void {
    const { bytes } = this;
    const { view } = image;
    const into = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const base = place * PACKED_BYTES;
    let at = base + BEGINS[block];
    for (const range of KEPT[block]) {
      const next = at + range.to - range.from;
      into.set(bytes.subarray(at, next), range.from);
      at = next;
    }
    const flags = (bytes[base + FLAGS] as number) >> block;
    image.become((flags & 0x10) !== 0, (flags & 1) !== 0);
  }

  /** Nothing has been read of this pack. */
  clear(place: number): void {
    this.bytes[place * PACKED_BYTES + FLAGS] = 0;
  }
}
