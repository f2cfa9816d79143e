import { EXCEPTION_BIT, WRITE_MULTIPLE_REGISTERS } from "modbus/pdu";
import { frameAt, SHORT_ADU_BYTES, UNFINISHED } from "modbus/rtu";
import { Transaction, WAIT } from "modbus/transaction";
import { FRAME_BYTES, FRAME_HEADER, FRAME_TYPE, hasValidSum, headerAt } from "./frame";
import { MAX_PADDING } from "./limits";
import { acknowledgementAt, NO_ACKNOWLEDGEMENT } from "./frame-sniffer";
import { SETUP, type BlockType, type LOG } from "./types";
import { encodeAllowedWrite, TRIGGERS } from "./writes";

const REQUEST_BYTES = 11;

/**
 * A trigger write and its answer (docs/jk-modbus.md, "Triggers"): the block's frame, optional 0x00 bytes, the acknowledgement. The frame is accepted only with
 * an acknowledgement from this slave for this register: a bus master sends unsolicited frames with acknowledgements of its own.
 */
export class TriggerTransaction extends Transaction {
  private block: BlockType | typeof LOG = SETUP;

  constructor(adu = new Uint8Array(REQUEST_BYTES)) {
    super(adu);
  }

  prepareFor(block: BlockType | typeof LOG): this {
    this.block = block;
    return this.prepare(encodeAllowedWrite(this.adu, TRIGGERS[block], 0));
  }

  protected override get longestReply(): number {
    return FRAME_BYTES + MAX_PADDING + SHORT_ADU_BYTES;
  }

  override judge(bytes: Uint8Array, start: number, end: number, idle: boolean): number {
    this.enough = 0;
    if (bytes[start] === this.address && this.mayBeException(bytes, start, end)) {
      const length = frameAt(bytes, start, end);
      return length === UNFINISHED && idle ? -1 : length;
    }
    if (headerAt(bytes, start, end) < 0) {
      // Another master's frames are distinguished from noise: the bus judges them.
      const length = frameAt(bytes, start, end);
      if (length === UNFINISHED) return idle ? -1 : WAIT;
      return length > 0 ? -length : -1;
    }
    if (end - start < FRAME_BYTES) {
      if (idle) return -1;
      if (end - start >= FRAME_HEADER.length) this.enough = FRAME_BYTES;
      return WAIT;
    }
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
    const at = acknowledgementAt(bytes, start + FRAME_BYTES, end);
    if (at === WAIT) return WAIT;
    // A frame with no acknowledgement after it is unsolicited. One in 256 torn frames has a valid sum by chance, and the real frame then
    // begins within these 300 bytes: skip only the header.
    if (at === NO_ACKNOWLEDGEMENT) return -FRAME_HEADER.length;
    const mine = bytes[at] === this.address;
    if (mine && bytes[start + FRAME_TYPE] === this.block && this.isMine(bytes, at)) {
      this.mark = bytes[start + FRAME_BYTES - 1] as number;
      return at + SHORT_ADU_BYTES - start;
    }
    if (mine) this.mismatches++;
    // The acknowledgement is judged by itself.
    return start - at;
  }

  /** Register and quantity match the request. */
  private isMine(bytes: Uint8Array, at: number): boolean {
    for (let index = 2; index < SHORT_ADU_BYTES - 2; index++) if (bytes[at + index] !== this.adu[index]) return false;
    return true;
  }
}
