/** The records that are not complete yet: where their values are in the retained memory, and how a value is taken into a record. */
import { HISTORY_BANK_BYTES, HISTORY_PACK_BYTES } from "../runtime/retained";
import * as layout from "./layout";
import { UNKNOWN_BYTE, UNKNOWN_WORD } from "./layout";

/**
 * What is not complete yet, as it lies in the retained memory: records as in flash, and what their values are computed from. First the bank's, then
 * PACK_BYTES of each pack, then a CRC.
 */
export const UTC_AT = 0;
/** Number of packs. */
export const COUNT_AT = 4;
export const FINE_AT = 6;
export const DAY_AT = FINE_AT + layout.FINE_BYTES;
/** Ten minutes since 1970, or since the start as long as the time is unknown. */
export const FINE_SLOT_AT = DAY_AT + layout.DAY_BYTES;
export const FINE_REPLIES_AT = FINE_SLOT_AT + 4;
/** Sum of the power of all replies, mW. */
export const FINE_SUM_AT = FINE_REPLIES_AT + 4;
/** A bit for each minute with a reply. */
export const FINE_MINUTES_AT = FINE_SUM_AT + 8;
export const HOUR_SLOT_AT = FINE_MINUTES_AT + 2;
/** Days since 1970 by the owner's time. */
export const DAY_NUMBER_AT = HOUR_SLOT_AT + 4;
/** The last ten minutes counted for the day. */
export const DAY_SLOT_AT = DAY_NUMBER_AT + 4;
export const DAY_CHARGED_AT = DAY_SLOT_AT + 4;
export const DAY_DISCHARGED_AT = DAY_CHARGED_AT + 8;
/** Lowest and highest voltage of each cell of the first pack in the day, mV, two words each. */
export const RANGES_AT = DAY_DISCHARGED_AT + 8;
export const RANGE_BYTES = 4;

/**
 * Of a pack: the record of its hour, where its time and check will be, the replies and their last minute; the tens of seconds of the last
 * sample and the minute in which the cells were last sampled since the start, modulo UNKNOWN_BYTE, which stands for none.
 */
export const REPLIES = 0;
export const LAST_MINUTE = 2;
export const SAMPLED = 3;
export const LOOKED = 4;
/** Sum of the current, mA. */
export const SUM = layout.HOUR_BYTES;
/** From when on it has been at rest, seconds since the start; UNKNOWN_LONG: it is not. */
export const RESTING = SUM + 8;

/** Where the packs begin, and how long each is. */
export const PACKS_AT = HISTORY_BANK_BYTES;
export const PACK_BYTES = HISTORY_PACK_BYTES;

export function raise(bytes: Uint8Array, at: number, bits: number): void {
  bytes[at] = (bytes[at] as number) | bits;
}

export function leastByte(bytes: Uint8Array, at: number, value: number): void {
  if (value < (bytes[at] as number)) bytes[at] = value;
}

export function mostByte(bytes: Uint8Array, at: number, value: number): void {
  const known = bytes[at] as number;
  if (value !== UNKNOWN_BYTE && (known === UNKNOWN_BYTE || value > known)) bytes[at] = value;
}

/** Whether `value` is the new one. */
export function leastWord(view: DataView, at: number, value: number): boolean {
  if (value >= view.getUint16(at)) return false;
  view.setUint16(at, value);
  return true;
}

export function mostWord(view: DataView, at: number, value: number): boolean {
  const known = view.getUint16(at);
  if (known !== UNKNOWN_WORD && value <= known) return false;
  view.setUint16(at, value);
  return true;
}
