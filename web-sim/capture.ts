/** The recorder's bytes as a file for others to read (host-sim/replay.ts): what is private is masked, and the checks hold again. */
import { FRAME_BYTES, FRAME_HEADER, FRAME_PAYLOAD, FRAME_TYPE, hasValidSum, headerAt } from "jk-bms/frame";
import { DEVICE_INFO } from "jk-bms/types";
import { appendCrc } from "modbus/crc";
import { READ_HOLDING_REGISTERS, WRITE_MULTIPLE_REGISTERS } from "modbus/pdu";
import { EXCEPTION_ADU_BYTES, frameAt, isReply, READ_REPLY_DATA, SHORT_ADU_BYTES, WRITE_DATA } from "modbus/rtu";
import type { Device } from "./device";
import type { RecordedPassage } from "./recorder";

const DEVICE_INFO_BASE = 0x1400;
/** Offsets in the device information (docs/jk-modbus.md): Bluetooth name and PIN; serial number, user data, setting password, and the user data once more. */
const PRIVATE: readonly (readonly [from: number, to: number])[] = [
  [0x28, 0x48],
  [0x50, 0x90],
];
const MASK = 0x78;
/** Requests that a late reply may belong to. */
const REMEMBERED = 16;
const BYTES_A_LINE = 32;

const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;

function mask(bytes: Uint8Array, from: number, to: number): void {
  for (let at = Math.max(0, from); at < Math.min(to, bytes.length); at++) if (bytes[at]) bytes[at] = MASK;
}

/** Of the device information, which is at `at`, the `length` bytes from byte `offset` of it on. */
function maskBlock(bytes: Uint8Array, at: number, offset: number, length: number): void {
  for (const [from, to] of PRIVATE)
    mask(bytes, at + Math.max(from, offset) - offset, at + Math.min(to, offset + length) - offset);
}

function maskFrame(bytes: Uint8Array, start: number): void {
  if (bytes[start + FRAME_TYPE] !== DEVICE_INFO) return;
  maskBlock(bytes, start + FRAME_PAYLOAD, 0, FRAME_BYTES - FRAME_PAYLOAD - 1);
  const last = start + FRAME_BYTES - 1;
  bytes[last] = bytes.subarray(start, last).reduce((sum, byte) => sum + byte, 0);
}

const word = (bytes: Uint8Array, at: number): number => ((bytes[at] as number) << 8) | (bytes[at + 1] as number);

interface Read {
  readonly address: number;
  readonly register: number;
  readonly length: number;
}

/** Masks in place what is private in the bytes of one direction, one call after the other. */
export class Masker {
  readonly #reads: Read[] = [];

  mask(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const length = this.#frame(bytes, at);
      if (!length) this.#noise(bytes, at);
      at += length || 1;
    }
  }

  /** Length of what begins here and whose check holds, masked; 0: nothing does. */
  #frame(bytes: Uint8Array, at: number): number {
    if (headerAt(bytes, at, bytes.length) === FRAME_HEADER.length) {
      if (bytes.length - at >= FRAME_BYTES && hasValidSum(bytes, at)) {
        maskFrame(bytes, at);
        return FRAME_BYTES;
      }
      // A torn one: what it is stays to be seen.
      return FRAME_HEADER.length;
    }
    const length = frameAt(bytes, at, bytes.length);
    if (length <= 0) return 0;
    const frame = bytes.subarray(at, at + length);
    if (frame[1] === READ_HOLDING_REGISTERS) this.#read(frame);
    else if (frame[1] === WRITE_MULTIPLE_REGISTERS && length > SHORT_ADU_BYTES)
      maskBlock(frame, WRITE_DATA, word(frame, 2) - DEVICE_INFO_BASE, length - WRITE_DATA - 2);
    if (length > EXCEPTION_ADU_BYTES) appendCrc(frame, length - 2);
    return length;
  }

  #read(frame: Uint8Array): void {
    const [address = 0] = frame;
    if (!isReply(frame, 0, frame.length)) {
      this.#reads.push({ address, register: word(frame, 2), length: 2 * word(frame, 4) });
      if (this.#reads.length > REMEMBERED) this.#reads.shift();
      return;
    }
    // A reply does not name its register. One that may be several's is masked as each of them.
    const length = frame.length - READ_REPLY_DATA - 2;
    const asked = this.#reads.filter((read) => read.address === address && read.length === length);
    for (const { register } of asked) maskBlock(frame, READ_REPLY_DATA, register - DEVICE_INFO_BASE, length);
    if (!asked.length) for (let at = 0; at < length; at++) this.#noise(frame, READ_REPLY_DATA + at);
  }

  /** A byte that nothing explains may be of a text. */
  #noise(bytes: Uint8Array, at: number): void {
    if (isPrintable(bytes[at] as number)) bytes[at] = MASK;
  }
}

/** Passages of the same direction that follow one another, as one piece: a frame may have come in several. */
function masked(passages: readonly RecordedPassage[]): RecordedPassage[] {
  const masker = new Masker();
  const result: RecordedPassage[] = [];
  for (let first = 0; first < passages.length;) {
    const { sent } = passages[first] as RecordedPassage;
    let after = first;
    while (passages[after]?.sent === sent) after++;
    const run = passages.slice(first, after);
    const all = Uint8Array.from(run.flatMap(({ bytes }) => [...bytes]));
    masker.mask(all);
    let from = 0;
    for (const { at, bytes } of run) result.push({ at, sent, bytes: all.subarray(from, (from += bytes.length)) });
    first = after;
  }
  return result;
}

const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");

function linesOf({ at, sent, bytes }: RecordedPassage, beginning: number): string[] {
  const time = (at - beginning).toFixed(1).padEnd(9);
  const lines = [];
  for (let from = 0; from < bytes.length; from += BYTES_A_LINE)
    lines.push(
      `${from ? " ".repeat(11) : `${time} ${sent ? ">" : "<"}`} ${hex(bytes.subarray(from, from + BYTES_A_LINE))}`,
    );
  return lines;
}

/** The text of a recording, with its end; empty: nothing has passed. */
export function captureOf({ board, recorder }: Pick<Device, "board" | "recorder">): string {
  const { passages } = recorder;
  if (!passages[0]) return "";
  const beginning = passages[0].at;
  return [
    `# The wire of a BMS as firmware ${board.config.version} (${board.config.build}) saw it, ${new Date().toISOString()}, ${board.wire.board.baud} baud.`,
    "# Serial numbers, Bluetooth names, user data and passwords are masked: 78, an x, for each of their bytes.",
    "# ms, direction (> of the firmware, < of the bus), bytes; the last time is the end.",
    "# The last minute, and before it what was read last of what was asked earlier.",
    ...masked(passages).flatMap((passage) => linesOf(passage, beginning)),
    (board.clock.now - beginning).toFixed(1),
    "",
  ].join("\n");
}
