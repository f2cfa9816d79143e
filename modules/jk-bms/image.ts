import { extremeCells } from "./cells";
import { lengthOf, offsetOf, type Field } from "./fields";
import { BLOCK_BYTES } from "./limits";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockImage, type BlockType } from "./types";

/** Byte ranges of the device-info block that hold passwords in clear text: the Bluetooth PIN (0x1438) and the setting password (0x1470). */
export const SECRETS = Object.freeze(
  [
    { from: 0x38, to: 0x48 },
    { from: 0x70, to: 0x80 },
  ],
  true,
);

/** A block as last read in full. */
export class Image implements BlockImage {
  view: DataView;
  littleEndian = false;
  valid = false;
  contradicts = false;
  /** mV, of all cells, once `extremes` has been asked for. */
  total = 0;
  /** Of this telemetry; undefined: not looked for yet. */
  private found: number | undefined;

  constructor(view: DataView) {
    this.view = view;
  }

  get extremes(): number {
    return (this.found ??= extremeCells(this, this));
  }

  /** Its bytes have been replaced. */
  renewed(littleEndian: boolean): void {
    this.found = undefined;
    this.littleEndian = littleEndian;
    this.valid = true;
  }

  /** It has the bytes of `other`, which gets its own. */
  swap(other: Image): void {
    const { view } = this;
    this.view = other.view;
    other.view = view;
    this.littleEndian = other.littleEndian;
    this.valid = true;
    this.contradicts = other.contradicts;
    this.found = other.found;
  }

  /** Becomes the image of another pack. */
  become(littleEndian: boolean, valid: boolean, contradicts: boolean): void {
    this.renewed(littleEndian);
    this.valid = valid;
    this.contradicts = contradicts;
  }

  /** Stores a value: a text, or a number. Does nothing while the image is invalid. */
  patch(field: Field, value: number | string): void {
    if (!this.valid) return;
    const { view } = this;
    if (typeof value === "string")
      for (let index = 0; index < lengthOf(field); index++)
        view.setUint8(offsetOf(field) + index, index < value.length ? value.charCodeAt(index) : 0);
    else if (lengthOf(field) === 4) view.setInt32(offsetOf(field), value, this.littleEndian);
    else if (lengthOf(field) === 2) view.setInt16(offsetOf(field), value, this.littleEndian);
    else view.setInt8(offsetOf(field), value);
  }
}

/**
 * The three images and a spare block in one buffer: a block that takes several reads is read into the spare one, which becomes its image once it is
 * complete.
 */
export class Images {
  readonly [SETUP]: Image;
  readonly [TELEMETRY]: Image;
  readonly [DEVICE_INFO]: Image;
  /** The spare block. */
  readonly spare: Image;
  private readonly bytes = new Uint8Array(4 * BLOCK_BYTES);

  constructor() {
    const { buffer } = this.bytes;
    this[SETUP] = new Image(new DataView(buffer, 0, BLOCK_BYTES));
    this[TELEMETRY] = new Image(new DataView(buffer, BLOCK_BYTES, BLOCK_BYTES));
    this[DEVICE_INFO] = new Image(new DataView(buffer, 2 * BLOCK_BYTES, BLOCK_BYTES));
    this.spare = new Image(new DataView(buffer, 3 * BLOCK_BYTES, BLOCK_BYTES));
  }

  /** Nothing has been read. */
  invalidate(): void {
    this[SETUP].valid = this[TELEMETRY].valid = this[DEVICE_INFO].valid = false;
  }

  /**
   * Clears the spare block, so that bytes never read are not left over from an earlier block.
   * @param from it has the bytes of this image instead, from `at` on: those before will be read
   */
  begin(from?: Image, at = 0): void {
    const { bytes } = this;
    const spare = this.spare.view.byteOffset;
    if (!from) bytes.fill(0, spare, spare + BLOCK_BYTES);
    else bytes.copyWithin(spare + at, from.view.byteOffset + at, from.view.byteOffset + BLOCK_BYTES);
  }

  /** Stores `length` bytes of the block at byte `offset`, truncated at the end of the block; secrets are zeroed. */
  take(block: BlockType, offset: number, from: Uint8Array, start: number, length: number): void {
    this.store(this.spare.view.byteOffset, block, offset, from, start, length);
  }

  /** The same for a block of which nothing more is read: stored in its image. */
  replace(
    block: BlockType,
    littleEndian: boolean,
    offset: number,
    from: Uint8Array,
    start: number,
    length: number,
  ): void {
    const image = this[block];
    this.store(image.view.byteOffset, block, offset, from, start, length);
    image.renewed(littleEndian);
  }

  /** The block is complete: publishes the spare block as it is. */
  publish(block: BlockType): void {
    this[block].swap(this.spare);
  }

  private store(base: number, block: BlockType, offset: number, from: Uint8Array, start: number, length: number): void {
    const { bytes } = this;
    const end = start + Math.min(length, BLOCK_BYTES - offset);
    bytes.set(from.subarray(start, end), base + offset);
    if (block === DEVICE_INFO) for (const secret of SECRETS) bytes.fill(0, base + secret.from, base + secret.to);
  }
}
