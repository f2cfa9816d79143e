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

/** The blocks of one pack without what nobody reads of them: PACKED_BYTES instead of four blocks. */
export class PackedBlocks {
  private readonly bytes = new Uint8Array(PACKED_BYTES);
  /** Bit `block`: it has been read; bit `block` + 4: it is little-endian. */
  private flags = 0;

  isValid(block: BlockType): boolean {
    return ((this.flags >> block) & 1) !== 0;
  }

  /** Keeps what is needed of a whole block, whose first byte is at `start`. */
  keep(block: BlockType, littleEndian: boolean, from: Uint8Array, start: number): void {
    const { bytes } = this;
    let at: number = BEGINS[block];
    for (const range of KEPT[block]) {
      bytes.set(from.subarray(start + range.from, start + range.to), at);
      at += range.to - range.from;
    }
    this.flags = (this.flags & ~(0x10 << block)) | (1 << block) | (littleEndian ? 0x10 << block : 0);
  }

  /** Makes `image` that of this pack; bytes that are not kept stay as they are. */
  show(block: BlockType, image: Image): void {
    const { view } = image;
    const into = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    let at: number = BEGINS[block];
    for (const range of KEPT[block]) {
      const next = at + range.to - range.from;
      into.set(this.bytes.subarray(at, next), range.from);
      at = next;
    }
    image.become(((this.flags >> block) & 0x10) !== 0, this.isValid(block));
  }
}
