import { frameAt, SHORT_ADU_BYTES } from "modbus/rtu";
import { WRITE_MULTIPLE_REGISTERS } from "modbus/pdu";
import type { Counters, Sniffer } from "modbus/types";
import Time from "time";
import { FRAME_BYTES, FRAME_HEADER, FRAME_TYPE, hasValidSum, headerAt } from "./frame";
import { HEARD_PERIOD, MAX_BMS_ADDRESS, MAX_PADDING } from "./limits";
import { DEVICE_INFO, type BlockType } from "./types";
import { TRIGGERS } from "./writes";

/** More bytes are needed. */
export const WAIT = 0;
export const NO_ACKNOWLEDGEMENT = -1;

/** Offset of the acknowledgement after a frame that ends at `from`, past padding; WAIT while more bytes are needed. Address 0 begins with a 0x00 itself. */
export function acknowledgementAt(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from; at <= from + MAX_PADDING; at++) {
    const rest = end - at;
    if (rest < 2) return WAIT;
    if (bytes[at + 1] === WRITE_MULTIPLE_REGISTERS) {
      if (rest < SHORT_ADU_BYTES) return WAIT;
      if (frameAt(bytes, at, at + SHORT_ADU_BYTES) === SHORT_ADU_BYTES) return at;
    }
    if (bytes[at] !== 0) return NO_ACKNOWLEDGEMENT;
  }
  return NO_ACKNOWLEDGEMENT;
}

/** A pack that wants the frames it sends to others. */
export interface FrameListener {
  readonly address: number;
  /** Its frame is at `start`. */
  onForeignFrame(block: BlockType, bytes: Uint8Array, start: number): void;
  /** See Sniffer. */
  answeredTwice(): void;
  answeredLate(): void;
}

/**
 * Finds the frames that packs send to another master, or that a master pack sends unasked (docs/jk-modbus.md, "Addresses"). The
 * acknowledgement after a frame names its sender; a frame without one is nobody's.
 */
export class FrameSniffer implements Sniffer {
  private readonly counters: Pick<Counters, "torn">;
  private readonly packs: readonly FrameListener[];
  /** By address, a bit each: since `since`, and in the HEARD_PERIOD before. */
  private now = 0;
  private before = 0;
  private since = Time.ticks;

  constructor(counters: Pick<Counters, "torn">, packs: readonly FrameListener[]) {
    this.counters = counters;
    this.packs = packs;
  }

  /** Bit n: a pack at address n has been heard in the last HEARD_PERIOD, or twice as long at most. */
  get heard(): number {
    this.advance();
    return this.now | this.before;
  }

  private advance(): void {
    const passed = (Time.ticks - this.since) >>> 0;
    if (passed < HEARD_PERIOD) return;
    this.before = passed < 2 * HEARD_PERIOD ? this.now : 0;
    this.now = 0;
    this.since = Time.ticks;
  }

  sniff(bytes: Uint8Array, start: number, end: number, idle: boolean, follows = false): number {
    const matching = headerAt(bytes, start, end);
    if (matching < 0) return -1;
    if (end - start < FRAME_BYTES) {
      if (!idle) return WAIT;
      return matching === FRAME_HEADER.length ? this.torn() : -1;
    }
    // A torn frame is followed by others within these 300 bytes: only its header is passed over.
    if (!hasValidSum(bytes, start)) return this.torn();
    const at = acknowledgementAt(bytes, start + FRAME_BYTES, end);
    if (at === WAIT) return idle ? this.torn() : WAIT;
    if (at === NO_ACKNOWLEDGEMENT) return this.torn();
    if (!follows) this.report(bytes, start, at);
    return at - start;
  }

  private report(bytes: Uint8Array, start: number, at: number): void {
    const block = bytes[start + FRAME_TYPE] as BlockType;
    const trigger = block <= DEVICE_INFO ? TRIGGERS[block] : undefined;
    if (!trigger || trigger.register !== (((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number))) return;
    this.advance();
    if ((bytes[at] as number) <= MAX_BMS_ADDRESS) this.now |= 1 << (bytes[at] as number);
    for (const pack of this.packs) if (pack.address === bytes[at]) pack.onForeignFrame(block, bytes, start);
  }

  answeredTwice(address: number): void {
    for (const pack of this.packs) if (pack.address === address) pack.answeredTwice();
  }

  answeredLate(address: number): void {
    for (const pack of this.packs) if (pack.address === address) pack.answeredLate();
  }

  private torn(): number {
    this.counters.torn = (this.counters.torn + 1) & 0x7fffffff;
    return FRAME_HEADER.length;
  }
}
