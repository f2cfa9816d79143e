import { keep, recall } from "application";
import { offsetOf } from "flash-log/field";
import { MAX_CELLS } from "jk-bms/cells";
import { appendCrc, hasValidCrc } from "modbus/crc";
import { HISTORY_AT, HISTORY_BANK_BYTES, HISTORY_BYTES, HISTORY_PACK_BYTES, HISTORY_PACKS } from "../runtime/retained";
import { UNKNOWN_BYTE, UNKNOWN_LONG } from "./limits";
import { DAY_FIELDS, FINE_FIELDS, FINE_RECORD, HOUR_FIELDS } from "./records";

// In the retained memory: records as in flash, and what their values are computed from. First the bank's, then PACK_BYTES of each pack, then a CRC.
const UTC_AT = 0;
/** Number of packs. */
const COUNT_AT = 4;
export const FINE_AT = 6;
export const DAY_AT = FINE_AT + FINE_RECORD.bytes;

// Laid out backwards from PACKS_AT, so that the offsets are constants.
/** Lowest and highest voltage of each cell of the first pack in the day, mV, two words each. */
export const RANGE_BYTES = 4;
export const RANGES_AT = HISTORY_BANK_BYTES - RANGE_BYTES * MAX_CELLS;
/** Joules of the day so far. */
export const DAY_DISCHARGED_AT = RANGES_AT - 8;
export const DAY_CHARGED_AT = DAY_DISCHARGED_AT - 8;
/** The last ten minutes counted for the day. */
export const DAY_SLOT_AT = DAY_CHARGED_AT - 4;
/** Days since 1970 by the owner's time. */
export const DAY_NUMBER_AT = DAY_SLOT_AT - 4;
/** Hours since 1970, or since the start as long as the time is unknown. */
export const HOUR_SLOT_AT = DAY_NUMBER_AT - 4;
/** A bit for each minute with a reply. */
export const FINE_MINUTES_AT = HOUR_SLOT_AT - 2;
/** Sum of the power of all replies, mW. */
export const FINE_SUM_AT = FINE_MINUTES_AT - 8;
export const FINE_REPLIES_AT = FINE_SUM_AT - 4;
/** Ten minutes since 1970, or since the start. Behind the record of the day. */
export const FINE_SLOT_AT = FINE_REPLIES_AT - 4;

/** Where the packs begin, and how long each is. */
export const PACKS_AT = HISTORY_BANK_BYTES;
export const PACK_BYTES = HISTORY_PACK_BYTES;
/**
 * Of a pack: the record of its hour, where its time and check will be, the replies and their last minute; the tens of seconds of the last
 * sample and the minute in which the cells were last read since the start, modulo UNKNOWN_BYTE, which stands for none.
 */
export const REPLIES = 0;
export const LAST_MINUTE = 2;
export const SAMPLED = 3;
export const CELLS_READ = 4;
/** From when on it has been at rest, seconds since the start; UNKNOWN_LONG: it is not. */
export const RESTING = PACK_BYTES - 4;
/** Sum of the current, mA. Behind the record of the hour. */
export const SUM = RESTING - 8;

const CRC_BYTES = 2;

/** What is not complete yet: in RAM, and saved in the memory that survives a restart. */
export class Unfinished {
  bytes!: Uint8Array;
  view!: DataView;

  constructor() {
    this.reset();
  }

  /** Packs of which there are numbers. */
  get count(): number {
    return this.bytes[COUNT_AT] as number;
  }

  /** Starts over with one pack and no records. */
  reset(): void {
    this.use(1);
    this.bytes.fill(UNKNOWN_BYTE);
    this.bytes[COUNT_AT] = 1;
    this.beginPack(0);
    this.beginFine(UNKNOWN_LONG);
    this.view.setUint32(HOUR_SLOT_AT, UNKNOWN_LONG);
    this.beginDay(UNKNOWN_LONG);
  }

  /** Makes room for more packs. */
  grow(count: number): void {
    const { bytes: old, count: known } = this;
    this.use(count);
    this.bytes.fill(UNKNOWN_BYTE);
    this.bytes.set(old.subarray(0, old.length - CRC_BYTES));
    this.bytes[COUNT_AT] = count;
    for (let index = known; index < count; index++) this.beginPack(index);
  }

  /** Reads back what was saved. @returns when, seconds since 1970, UNKNOWN_LONG without a clock; undefined: nothing was */
  restore(): number | undefined {
    recall(this.bytes, HISTORY_AT);
    const { count } = this;
    if (count && count <= HISTORY_PACKS) {
      this.use(count);
      recall(this.bytes, HISTORY_AT);
    }
    const { bytes } = this;
    return hasValidCrc(bytes, 0, bytes.length) ? this.view.getUint32(UTC_AT) : undefined;
  }

  save(utc: number): void {
    const { bytes } = this;
    this.view.setUint32(UTC_AT, utc);
    appendCrc(bytes, bytes.length - CRC_BYTES);
    keep(bytes, HISTORY_AT);
  }

  beginFine(slot: number): void {
    const { bytes, view } = this;
    bytes.fill(UNKNOWN_BYTE, FINE_AT, DAY_AT);
    bytes[FINE_AT + offsetOf(FINE_FIELDS.minutes)] = 0;
    view.setUint32(FINE_SLOT_AT, slot);
    view.setUint32(FINE_REPLIES_AT, 0);
    view.setFloat64(FINE_SUM_AT, 0);
    view.setUint16(FINE_MINUTES_AT, 0);
    for (let index = 0; index < this.count; index++) this.sampleNext(index);
  }
  beginPack(index: number): void {
    const { bytes, view } = this;
    const at = PACKS_AT + index * PACK_BYTES;
    bytes.fill(UNKNOWN_BYTE, at, at + SUM);
    bytes[at + offsetOf(HOUR_FIELDS.minutes)] = 0;
    view.setUint16(at + REPLIES, 0);
    view.setFloat64(at + SUM, 0);
  }

  beginDay(day: number): void {
    const { bytes, view } = this;
    bytes.fill(UNKNOWN_BYTE, DAY_AT, FINE_SLOT_AT);
    bytes.fill(UNKNOWN_BYTE, RANGES_AT, PACKS_AT);
    bytes[DAY_AT + offsetOf(DAY_FIELDS.tenMinutes)] = 0;
    view.setUint32(DAY_NUMBER_AT, day);
    view.setUint32(DAY_SLOT_AT, UNKNOWN_LONG);
    // Unknown until there are two replies.
    view.setFloat64(DAY_CHARGED_AT, NaN);
    view.setFloat64(DAY_DISCHARGED_AT, NaN);
  }

  /** The next reply of a pack is sampled. */
  sampleNext(index: number): void {
    this.bytes[PACKS_AT + index * PACK_BYTES + SAMPLED] = UNKNOWN_BYTE;
  }

  private use(count: number): void {
    this.bytes = new Uint8Array(PACKS_AT + count * PACK_BYTES + CRC_BYTES);
    this.view = new DataView(this.bytes.buffer);
  }
}

/** Forgets what was saved. */
export function discardUnfinished(): void {
  keep(new Uint8Array(HISTORY_BYTES), HISTORY_AT);
}
