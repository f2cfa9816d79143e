import { concat, sum8 } from "./codec";
import { BLOCKS, WIDTH, type Block, type Field, type FrameType, type Kind } from "./fields";

/** Bytes of a block that a frame carries. */
const PAYLOAD_BYTES = 293;
export const FRAME_BYTES = 300;
const FRAME_HEADER = [0x55, 0xaa, 0xeb, 0x90];
const PAYLOAD_AT = 6;

/** Limits of one FC03 read (docs/jk-modbus.md, "Reads"): quantity below 124, quantity + offset / 2 below 147. */
const READ_QUANTITY_END = 124;
const READ_WORDS_END = 147;

const RANGE: Readonly<Record<Exclude<Kind, "f32">, readonly [least: number, most: number]>> = {
  u8: [0, 0xff],
  text: [0, 0xff],
  i8: [-0x80, 0x7f],
  u16: [0, 0xffff],
  i16: [-0x8000, 0x7fff],
  u32: [0, 0xffff_ffff],
  i32: [-0x8000_0000, 0x7fff_ffff],
};

interface Stored {
  readonly block: Block;
  /** The block as in its frame: little-endian. */
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Byte k of FC03 is the stored byte `order[k]`, or zero if that is negative. */
  readonly order: Int16Array;
}

/** Where a field is, worked out once: it is asked for a hundred times in each measurement. */
interface Place {
  readonly stored: Stored;
  readonly field: Field;
  /** Of its first element in the block. */
  readonly offset: number;
  readonly width: number;
}

/** Target of an FC16 with a given register and quantity: one field, or the two 8-bit halves of a word. */
export interface WriteTarget {
  readonly parts: readonly { readonly field: Field; readonly offset: number; readonly bytes: number }[];
}

function fc03Order(block: Block): Int16Array {
  const order = Int16Array.from({ length: PAYLOAD_BYTES }, (_, offset) => offset);
  for (const { register, kind, count, frameOnly } of block.fields) {
    const width = WIDTH[kind];
    for (let at = register - block.base; at < register - block.base + width * count; at += width) {
      for (let byte = 0; byte < width; byte++) order[at + byte] = frameOnly ? -1 : at + width - 1 - byte;
    }
  }
  return order;
}

/** A frame with its check byte. */
export function frameOf(type: number, counter: number, payload: Uint8Array): Uint8Array {
  const frame = concat(FRAME_HEADER, [type, counter], payload, [0]);
  frame[FRAME_BYTES - 1] = sum8(frame, FRAME_BYTES - 1);
  return frame;
}

/** The BMS's memory: three blocks, accessible by field name, as registers (big-endian) or as frames (little-endian). */
export class Image {
  readonly #blocks: readonly Stored[] = BLOCKS.map((block) => {
    const bytes = new Uint8Array(PAYLOAD_BYTES);
    return { block, bytes, view: new DataView(bytes.buffer), order: fc03Order(block) };
  });
  readonly #places = new Map<string, Place>();

  constructor() {
    for (const stored of this.#blocks) {
      for (const field of stored.block.fields) {
        const offset = field.register - stored.block.base;
        this.#places.set(field.name, { stored, field, offset, width: WIDTH[field.kind] });
      }
    }
  }

  /** The raw number of a field; `index` counts from 0 in fields with several elements. Throws for an unknown name. */
  read(name: string, index = 0): number {
    const place = this.#find(name, index);
    const { field } = place;
    const { view } = place.stored;
    const offset = place.offset + index * place.width;
    switch (field.kind) {
      case "u8":
      case "text":
        return view.getUint8(offset);
      case "i8":
        return view.getInt8(offset);
      case "u16":
        return view.getUint16(offset, true);
      case "i16":
        return view.getInt16(offset, true);
      case "u32":
        return view.getUint32(offset, true);
      case "i32":
        return view.getInt32(offset, true);
      case "f32":
        return view.getFloat32(offset, true);
    }
  }

  /** Sets the raw number of a field, rounded and clamped to its data type. */
  write(name: string, value: number, index = 0): void {
    const place = this.#find(name, index);
    const { width } = place;
    const { kind } = place.field;
    const { view } = place.stored;
    const offset = place.offset + index * width;
    if (kind === "f32") return view.setFloat32(offset, value, true);
    const range = RANGE[kind];
    const raw = Math.min(Math.max(Math.round(value), range[0]), range[1]);
    // The setters take a number of either sign.
    if (width === 1) view.setUint8(offset, raw);
    else if (width === 2) view.setUint16(offset, raw, true);
    else view.setUint32(offset, raw, true);
  }

  /** A text field up to its first NUL. */
  text(name: string): string {
    const { field } = this.#find(name, 0);
    let text = "";
    for (let index = 0; index < field.count; index++) {
      const code = this.read(name, index);
      if (!code) break;
      text += String.fromCharCode(code);
    }
    return text;
  }

  /** Sets a text field, padded with NULs. Throws if the text is too long. */
  writeText(name: string, text: string): void {
    const { field } = this.#find(name, 0);
    if (text.length > field.count) throw new RangeError(`${name} holds ${field.count} characters`);
    for (let index = 0; index < field.count; index++) this.write(name, text.charCodeAt(index) || 0, index);
  }

  /** The 300-byte frame of a block. `counter` is its sixth byte. */
  frame(type: FrameType, counter = 0): Uint8Array {
    return frameOf(type, counter, this.#byType(type).bytes);
  }

  /** Loads the block of a captured frame. Throws if the frame type is unknown or the check byte is wrong. */
  load(frame: Uint8Array): void {
    const isFrame = frame.length === FRAME_BYTES && FRAME_HEADER.every((byte, index) => frame[index] === byte);
    if (!isFrame || sum8(frame, FRAME_BYTES - 1) !== frame[FRAME_BYTES - 1]) {
      throw new Error("not a 300-byte 55AAEB90 frame with a valid checksum");
    }
    this.#byType(frame[4] as number).bytes.set(frame.subarray(PAYLOAD_AT, PAYLOAD_AT + PAYLOAD_BYTES));
  }

  /** Data bytes of an FC03 reply; undefined if the BMS does not allow the read. */
  registers(register: number, quantity: number): Uint8Array | undefined {
    const stored = this.#at(register);
    if (!stored || register % 2 || quantity >= READ_QUANTITY_END) return undefined;
    const offset = register - stored.block.base;
    if (quantity + offset / 2 >= READ_WORDS_END) return undefined;
    const data = new Uint8Array(quantity * 2);
    for (let index = 0; index < data.length; index++) {
      const at = stored.order[offset + index] ?? -1;
      if (at >= 0) data[index] = stored.bytes[at] as number;
    }
    return data;
  }

  /** Target of an FC16 with this register and quantity; undefined unless it is exactly one writable field. */
  target(register: number, quantity: number): WriteTarget | undefined {
    if (register % 2) return undefined;
    const first = this.#covering(register);
    if (!first) return undefined;
    const { field } = first;
    if (field.kind === "text") {
      const fits = register === field.register && quantity === field.words;
      return fits ? { parts: [{ field, offset: 0, bytes: quantity * 2 }] } : undefined;
    }
    const width = WIDTH[field.kind];
    if (width > 1) {
      const fits = (register - field.register) % width === 0 && quantity * 2 === width && field.write;
      return fits ? { parts: [{ field, offset: 0, bytes: width }] } : undefined;
    }
    const second = this.#covering(register + 1);
    if (quantity !== 1 || !second || !(field.write ?? second.field.write)) return undefined;
    return {
      parts: [
        { field, offset: 0, bytes: 1 },
        { field: second.field, offset: 1, bytes: 1 },
      ],
    };
  }

  /** Stores the data of an accepted FC16; the read-only half of a word is left unchanged. */
  store(register: number, data: Uint8Array, { parts }: WriteTarget): void {
    const stored = this.#at(register) as Stored;
    const base = register - stored.block.base;
    for (const { field, offset, bytes } of parts) {
      if (!field.write) continue;
      for (let byte = offset; byte < offset + bytes; byte++) {
        stored.bytes[stored.order[base + byte] as number] = data[byte] as number;
      }
    }
  }

  #at(register: number): Stored | undefined {
    return this.#blocks.find(({ block }) => register >= block.base && register < block.base + PAYLOAD_BYTES);
  }

  #byType(type: number): Stored {
    const stored = this.#blocks.find(({ block }) => block.type === type);
    if (!stored) throw new Error(`no block of frame type ${type}`);
    return stored;
  }

  #covering(register: number): { stored: Stored; field: Field } | undefined {
    const stored = this.#at(register);
    const field = stored?.block.fields.find(
      ({ register: start, kind, count }) => register >= start && register < start + WIDTH[kind] * count,
    );
    return stored && field && { stored, field };
  }

  #find(name: string, index: number): Place {
    const found = this.#places.get(name);
    if (!found) throw new RangeError(`no register is called ${name}`);
    if (index < 0 || index >= found.field.count) throw new RangeError(`${name} has ${found.field.count} elements`);
    return found;
  }
}
