/** A minimal JK BMS for the tests of jk-bms: a Modbus server with three captured blocks and injectable faults. */
import { appendCrc, hasValidCrc } from "../../../modules/modbus/crc";
import { LOG } from "../../../modules/jk-bms/types";
import { capture, swapped } from "./captures";
import type { SimulatedBoard } from "../../../host-sim/board";
import { onRequest } from "./line";

const BASES: Record<number, number> = { 1: 0x1000, 2: 0x1200, 3: 0x1400 };
const TRIGGERED: Record<number, number> = { 0x161e: 1, 0x1620: 2, 0x161c: 3, 0x1624: LOG };

export function sealed(...bytes: number[]): Uint8Array {
  const adu = new Uint8Array(bytes.length + 2);
  adu.set(bytes);
  appendCrc(adu, bytes.length);
  return adu;
}

export const concat = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

/** Builds a block's frame from its little-endian bytes. */
export function frame(type: number, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(300);
  bytes.set([0x55, 0xaa, 0xeb, 0x90, type, 0]);
  bytes.set(payload, 6);
  bytes[299] = bytes.subarray(0, 299).reduce((sum, byte) => sum + byte, 0) & 0xff;
  return bytes;
}

export const payloadOf = (name: string): Uint8Array => capture(name).slice(6, 299);

export class FakeBms {
  readonly board: SimulatedBoard;
  address = 1;
  /** Big-endian, as FC03 reads them. */
  readonly blocks: Record<number, Uint8Array> = {
    1: swapped(1, payloadOf("dbus-sb_t01_addr3_PB2A16S20P_15.41")),
    2: swapped(2, payloadOf("dbus-sb_t02_addr3_PB2A16S20P_15.41")),
    3: swapped(3, payloadOf("dbus-sb_t03_addr3_PB2A16S20P_15.41")),
  };
  /** Of its own log, as a frame has it. */
  log = payloadOf("batmonfork_t05_systemlog_addr1");
  readonly requests: { at: number; bytes: Uint8Array }[] = [];
  delay = 10;
  /** Zero bytes between a frame and its acknowledgement. */
  padding = 0;
  answersReads = true;
  answersTriggers = true;
  /** FC03 stops answering this many ms after the last write. */
  sleepsAfter = Infinity;
  /** Acknowledges writes without applying them. */
  ignoresWrites = false;
  /** Exception code by register, for reads and writes. */
  readonly refuses = new Map<number, number>();
  /** Overrides the reply to a request: bytes, no reply (null), or the normal one (undefined). */
  instead: ((request: Uint8Array, usual: Uint8Array | undefined) => Uint8Array | null | undefined) | undefined;
  #lastWrite = 0;
  #lastSent = -Infinity;

  constructor(board: SimulatedBoard) {
    this.board = board;
    onRequest(board, (request) => this.#onRequest(request));
  }

  /** Requests with function code `code`. */
  sent(code: number): Uint8Array[] {
    return this.requests.map(({ bytes }) => bytes).filter((bytes) => bytes[1] === code);
  }

  word(register: number): number {
    const { bytes, at } = this.#place(register);
    return ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
  }

  setWord(register: number, value: number): void {
    const { bytes, at } = this.#place(register);
    bytes[at] = value >> 8;
    bytes[at + 1] = value & 255;
  }

  #place(register: number): { bytes: Uint8Array; at: number; block: number } {
    const block = register < 0x1200 ? 1 : register < 0x1400 ? 2 : 3;
    return { bytes: this.blocks[block] as Uint8Array, at: register - (BASES[block] as number), block };
  }

  #onRequest(request: Uint8Array): void {
    const { clock, wire } = this.board;
    this.requests.push({ at: clock.now, bytes: request });
    // Too soon after the last reply: missed.
    if (clock.now - 2 - this.#lastSent < 30) return;
    if (request[0] !== this.address || !hasValidCrc(request, 0, request.length)) return;
    const usual = this.#answer(request);
    const special = this.instead?.(request, usual);
    const answer = special === undefined ? usual : special;
    if (!answer) return;
    clock.after(this.delay, () => {
      wire.bms.send(answer);
      this.#lastSent = clock.now + (answer.length * 10_000) / 115_200;
    });
  }

  #answer(request: Uint8Array): Uint8Array | undefined {
    const code = request[1] as number;
    const register = ((request[2] as number) << 8) | (request[3] as number);
    const quantity = request[5] as number;
    const refused = this.refuses.get(register);
    if (refused) return sealed(this.address, code | 0x80, refused);
    if (code === 3) return this.#read(register, quantity);
    if (code !== 16) return sealed(this.address, code | 0x80, 1);
    this.#lastWrite = this.board.clock.now;
    const acknowledgement = sealed(...request.subarray(0, 6));
    const type = TRIGGERED[register];
    if (type) {
      if (!this.answersTriggers) return undefined;
      const payload = type === LOG ? this.log : swapped(type, this.blocks[type] as Uint8Array);
      return concat(frame(type, payload), new Uint8Array(this.padding), acknowledgement);
    }
    if (!this.ignoresWrites) {
      if (register === 0x1610) this.setWord(0x12d4, request[8] ? 1800 : 0);
      else {
        const { bytes, at } = this.#place(register);
        bytes.set(request.subarray(7, 7 + 2 * quantity), at);
      }
    }
    return acknowledgement;
  }

  #read(register: number, quantity: number): Uint8Array | undefined {
    if (!this.answersReads || this.board.clock.now - this.#lastWrite > this.sleepsAfter) return undefined;
    const { bytes, at } = this.#place(register);
    if (register & 1 || quantity >= 124 || quantity + at / 2 >= 147) return sealed(this.address, 0x83, 2);
    return sealed(this.address, 3, 2 * quantity, ...bytes.subarray(at, at + 2 * quantity));
  }
}
