import type { Field } from "./fields";
import { BLOCK_BYTES } from "./limits";
import { DEVICE_INFO, SETTINGS, TELEMETRY, type BlockImage, type BlockType } from "./types";

/** Byte offsets in the device-info block that are passwords in clear text: the Bluetooth PIN (0x1438) and the setting password (0x1470). */
export const SECRETS = Object.freeze(
  [
    { from: 0x38, to: 0x48 },
    { from: 0x70, to: 0x80 },
  ],
  true,
);

/** The bytes of a block. */
export class BlockBuffer {
  readonly bytes = new Uint8Array(BLOCK_BYTES);
  readonly view = new DataView(this.bytes.buffer);

  clear(): void {
    this.bytes.fill(0);
  }

  /** Takes `length` bytes of a block from its byte `offset` on, as far as they are in it; secrets stay out. */
  copy(block: BlockType, offset: number, from: Uint8Array, start: number, length: number): void {
    const count = Math.min(length, BLOCK_BYTES - offset);
    this.bytes.set(from.subarray(start, start + count), offset);
    if (block === DEVICE_INFO) for (const secret of SECRETS) this.bytes.fill(0, secret.from, secret.to);
  }
}

/** A block as last read whole. */
export class Image implements BlockImage {
  #buffer = new BlockBuffer();
  #littleEndian = false;
  #valid = false;

  get view(): DataView {
    return this.#buffer.view;
  }

  get littleEndian(): boolean {
    return this.#littleEndian;
  }

  get valid(): boolean {
    return this.#valid;
  }

  /** Shows `buffer` from now on, and gives the old one away. */
  replace(buffer: BlockBuffer, littleEndian: boolean): BlockBuffer {
    const old = this.#buffer;
    this.#buffer = buffer;
    this.#littleEndian = littleEndian;
    this.#valid = true;
    return old;
  }

  /** Puts a confirmed value in: a text, or a number of 16 or 32 bits, as all that can be written are. An image that is not valid stays as it is. */
  patch(field: Field, value: number | string): void {
    if (!this.#valid) return;
    const { view } = this.#buffer;
    if (typeof value === "string")
      for (let index = 0; index < field.length; index++)
        view.setUint8(field.offset + index, index < value.length ? value.charCodeAt(index) : 0);
    else if (field.length === 4) view.setInt32(field.offset, value, this.#littleEndian);
    else view.setInt16(field.offset, value, this.#littleEndian);
  }
}

/** The three images and one spare buffer: a block is read into the spare one, which then changes places with the block's. */
export class Images {
  readonly [SETTINGS] = new Image();
  readonly [TELEMETRY] = new Image();
  readonly [DEVICE_INFO] = new Image();
  #spare = new BlockBuffer();

  get spare(): BlockBuffer {
    return this.#spare;
  }

  /** The spare buffer holds the whole block. */
  commit(block: BlockType, littleEndian: boolean): void {
    this.#spare = this[block].replace(this.#spare, littleEndian);
  }
}
