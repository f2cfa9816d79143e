import { Images, type Image } from "./image";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockImage, type BlockType } from "./types";

/** Bytes [from, to) of a block. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * What is stored of each block: the fields of field-table.ts that the firmware reads, and the cells, with what lies between those that are close: a
 * range takes XS more than its bytes. Never the passwords of the device information.
 */
export const STORED_RANGES = Object.freeze(
  {
    [SETUP]: [
      { from: 0x00, to: 0x88 },
      { from: 0x108, to: 0x124 },
    ],
    [TELEMETRY]: [
      { from: 0x00, to: 0xd6 },
      { from: 0xe6, to: 0x114 },
    ],
    [DEVICE_INFO]: [
      { from: 0x00, to: 0x38 },
      { from: 0x48, to: 0x60 },
      { from: 0xb2, to: 0xb4 },
      { from: 0xd4, to: 0xd5 },
      { from: 0xe4, to: 0x108 },
      { from: 0x110, to: 0x111 },
    ],
  } as Readonly<Record<BlockType, readonly Range[]>>,
  true,
);

const endOf = (begin: number, block: BlockType): number =>
  STORED_RANGES[block].reduce((end, { from, to }) => end + to - from, begin);

const SETUP_BEGINS = endOf(0, TELEMETRY);
const DEVICE_INFO_BEGINS = endOf(SETUP_BEGINS, SETUP);
/** Where each block begins in the packed bytes. */
const BEGINS = Object.freeze(
  { [TELEMETRY]: 0, [SETUP]: SETUP_BEGINS, [DEVICE_INFO]: DEVICE_INFO_BEGINS } as const,
  true,
);
/** Behind the blocks: bit `block`: it has been read; bit `block` + 4: it is little-endian; bit 0: the telemetry contradicts itself. */
const FLAGS = endOf(DEVICE_INFO_BEGINS, DEVICE_INFO);
/** Of a pack. */
export const PACKED_BYTES = FLAGS + 1;

/**
 * What several packs on a bus share: the blocks of each without what nobody reads of them, PACKED_BYTES in one buffer, and one set of images
 * to read and write in, which are those of the pack that is asked. Images shown to readers are others, and are one pack's at a time.
 */
export class PackedBlocks {
  private readonly bytes: Uint8Array;
  /** JkPack.learned of each place. */
  readonly learned: Int32Array;
  /** Of the pack that is asked. */
  readonly working = new Images();
  private readonly shown = new Images();
  /** By block: the place of the pack whose image is shown. */
  private readonly shownPlaces = new Int8Array(4).fill(-1);

  /** @param places one for each pack */
  constructor(places: number, learned: number) {
    this.bytes = new Uint8Array(places * PACKED_BYTES);
    this.learned = new Int32Array(places).fill(learned);
  }

  /** Stores what is needed of a whole block, whose first byte is at `start`. */
  store(
    place: number,
    block: BlockType,
    littleEndian: boolean,
    from: Uint8Array,
    start: number,
    contradicts: boolean,
  ): void {
    const { bytes, shownPlaces } = this;
    const base = place * PACKED_BYTES;
    let at = base + BEGINS[block];
    for (const range of STORED_RANGES[block]) {
      bytes.set(from.subarray(start + range.from, start + range.to), at);
      at += range.to - range.from;
    }
    const flags = (bytes[base + FLAGS] as number) & ~((0x10 << block) | (block === TELEMETRY ? 1 : 0));
    bytes[base + FLAGS] = flags | (1 << block) | (littleEndian ? 0x10 << block : 0) | (contradicts ? 1 : 0);
    if (shownPlaces[block] === place) shownPlaces[block] = -1;
  }

  /** Stores the working image of a block that has been read or written, if it is valid. */
  storeWorking(place: number, block: BlockType): void {
    const { contradicts, valid, view, littleEndian } = this.working[block];
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    if (valid) this.store(place, block, littleEndian, bytes, 0, contradicts);
  }

  /** Makes the working images those of this pack. */
  load(place: number): void {
    const { working } = this;
    this.unpack(place, TELEMETRY, working[TELEMETRY]);
    this.unpack(place, SETUP, working[SETUP]);
    this.unpack(place, DEVICE_INFO, working[DEVICE_INFO]);
  }

  /** The block of a pack, valid until that of another pack is asked for. */
  show(place: number, block: BlockType): BlockImage {
    const image = this.shown[block];
    if (this.shownPlaces[block] !== place) {
      this.unpack(place, block, image);
      this.shownPlaces[block] = place;
    }
    return image;
  }

  /** Makes `image` that of this pack; bytes that are not stored stay as they are. */
  private unpack(place: number, block: BlockType, image: Image): void {
    const { bytes } = this;
    const { view } = image;
    const into = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const base = place * PACKED_BYTES;
    let at = base + BEGINS[block];
    for (const range of STORED_RANGES[block]) {
      const next = at + range.to - range.from;
      into.set(bytes.subarray(at, next), range.from);
      at = next;
    }
    const all = bytes[base + FLAGS] as number;
    const flags = all >> block;
    image.become((flags & 0x10) !== 0, (flags & 1) !== 0, block === TELEMETRY && (all & 1) !== 0);
  }
}
