import { frameAt, UNFINISHED } from "modbus-rtu/framer";
import { EXCEPTION_BIT, SHORT_ADU_BYTES, WRITE_MULTIPLE_REGISTERS } from "modbus-rtu/pdu";
import { Transaction, WAIT } from "modbus-rtu/transaction";
import { FRAME_BYTES, FRAME_HEADER, FRAME_TYPE, hasValidSum, headerAt } from "./frame";
import { MAX_PADDING } from "./limits";
import type { QuietWindow } from "./quiet-window";
import { SETTINGS, type BlockType } from "./types";
import { encodeAllowedWrite, TRIGGERS } from "./writes";

const REQUEST_BYTES = 11;
const NO_ACKNOWLEDGEMENT = -1;

/**
 * A trigger write and its answer (docs/jk-modbus.md, "Triggers"): the block's frame, optional 0x00 bytes, the acknowledgement. The frame is accepted only with
 * an acknowledgement from this slave for this register: a bus master sends unsolicited frames with acknowledgements of its own.
 */
export class TriggerTransaction extends Transaction {
  private block: BlockType = SETTINGS;
  /** Where the acknowledgement ends, found by acknowledgementAt. */
  private end = 0;
  private readonly window: QuietWindow | undefined;

  /** @param window open while the answer may be on the wire */
  constructor(adu = new Uint8Array(REQUEST_BYTES), window?: QuietWindow) {
    super(adu);
    this.window = window;
  }

  ask(address: number, block: BlockType): this {
    this.block = block;
    return this.prepare(encodeAllowedWrite(this.adu, address, TRIGGERS[block], 0));
  }

  override get longest(): number {
    return FRAME_BYTES + MAX_PADDING + SHORT_ADU_BYTES;
  }

  override awaited(awaited: boolean): void {
    this.window?.set(awaited);
  }

  override judge(bytes: Uint8Array, start: number, end: number, idle: boolean): number {
    if (bytes[start] === this.address && this.mayBeException(bytes, start, end)) {
      const length = frameAt(bytes, start, end);
      return length === UNFINISHED && idle ? -1 : length;
    }
    if (headerAt(bytes, start, end) < 0) return -1;
    if (end - start < FRAME_BYTES) return idle ? -1 : WAIT;
    if (!hasValidSum(bytes, start)) {
      this.checkErrors++;
      return -1;
    }
    return this.judgeFrame(bytes, start, end);
  }

  private mayBeException(bytes: Uint8Array, start: number, end: number): boolean {
    return end - start < 2 || bytes[start + 1] === (WRITE_MULTIPLE_REGISTERS | EXCEPTION_BIT);
  }

  /** A whole frame has arrived. The acknowledgement decides, however long the pause before it; the reply timeout ends the wait. */
  private judgeFrame(bytes: Uint8Array, start: number, end: number): number {
    const at = this.acknowledgementAt(bytes, start + FRAME_BYTES, end);
    if (at === WAIT) return WAIT;
    // A frame with no acknowledgement after it is unsolicited. One in 256 torn frames has a valid sum by chance, and the real frame then
    // begins within these 300 bytes: skip only the header.
    if (at === NO_ACKNOWLEDGEMENT) return -FRAME_HEADER.length;
    const mine = bytes[at] === this.address;
    if (mine && bytes[start + FRAME_TYPE] === this.block && this.isMine(bytes, at)) return this.end - start;
    if (mine) this.mismatches++;
    return start - this.end;
  }

  /** Register and quantity match the request. */
  private isMine(bytes: Uint8Array, at: number): boolean {
    for (let index = 2; index < SHORT_ADU_BYTES - 2; index++) if (bytes[at + index] !== this.adu[index]) return false;
    return true;
  }

  /** Offset of the acknowledgement after a frame; WAIT while more bytes are needed. Address 0 begins with a 0x00 itself. */
  private acknowledgementAt(bytes: Uint8Array, from: number, end: number): number {
    for (let at = from; at <= from + MAX_PADDING; at++) {
      const rest = end - at;
      if (rest < 2) return WAIT;
      if (bytes[at + 1] === WRITE_MULTIPLE_REGISTERS) {
        if (rest < SHORT_ADU_BYTES) return WAIT;
        if (frameAt(bytes, at, at + SHORT_ADU_BYTES) === SHORT_ADU_BYTES) {
          this.end = at + SHORT_ADU_BYTES;
          return at;
        }
      }
      if (bytes[at] !== 0) return NO_ACKNOWLEDGEMENT;
    }
    return NO_ACKNOWLEDGEMENT;
  }
}
