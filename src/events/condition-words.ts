/** What the watcher has of each subject, and what of it is kept over a restart. */
import { keep, recall } from "application";
import { appendCrc, hasValidCrc } from "modbus/crc";
import { isRaised } from "../catalogue/alarms";
import { CONCERNS, LEARNED } from "../conditions/table";
import { CONDITIONS_AT, CONDITIONS_BYTES, CONDITIONS_SUBJECTS, CONDITIONS_TIMES } from "../runtime/retained";

/**
 * Words of the device, then of each pack: its alarm word, the bits that are there, those that were found last, those from before the restart that take
 * time to be found, then since when each is there, uptime in s; before the start negative, as two's complement.
 */
export const ALARMS = 0;
export const PRESENT = 1;
export const FOUND = 2;
export const RESTORED = 3;
export const SINCE = 4;
export const ROWS = CONCERNS.length;
export const EACH = SINCE + ROWS;
/** In place of a time that is not known. */
export const UNKNOWN = 0x8000_0000;

// Kept: of each subject its alarm word and the bits that are there, u32 each; since when, u32 each, s since 1970 (0: unknown), of as many as there is
// room for, in their order; what has begun today, as it is; CRC.
const WORD = 4;
const KEPT_SINCE = 2 * WORD * CONDITIONS_SUBJECTS;
const CRC_AT = CONDITIONS_BYTES - 2;
const TODAY_AT = KEPT_SINCE + WORD * CONDITIONS_TIMES;

/** Calls `visit` with the place of each condition that is there in `words`, and of its time among those kept, while there is room. */
function eachKept(words: Uint32Array, visit: (since: number, at: number) => void): void {
  let kept = KEPT_SINCE;
  for (let at = 0; at < words.length; at += EACH)
    for (let row = 0; row < ROWS; row++)
      if (isRaised(words[at + PRESENT] as number, row)) {
        if (kept < TODAY_AT) visit(at + SINCE + row, kept);
        kept += WORD;
      }
}

/** @param started when the device started, s since 1970; undefined: unknown */
export function keepWords(words: Uint32Array, today: Uint16Array, started: number | undefined): void {
  const bytes = new Uint8Array(CONDITIONS_BYTES);
  const view = new DataView(bytes.buffer);
  for (let at = 0, to = 0; at < words.length; at += EACH, to += 2 * WORD) {
    view.setUint32(to, words[at + ALARMS] as number);
    view.setUint32(to + WORD, words[at + PRESENT] as number);
  }
  if (started !== undefined)
    eachKept(words, (since, at) => {
      if (words[since] !== UNKNOWN) view.setUint32(at, started + ((words[since] as number) | 0));
    });
  bytes.set(new Uint8Array(today.buffer), TODAY_AT);
  appendCrc(bytes, CRC_AT);
  keep(bytes, CONDITIONS_AT);
}

/** The same of the run before. */
export function recallWords(words: Uint32Array, today: Uint16Array, started: number | undefined): void {
  const bytes = new Uint8Array(CONDITIONS_BYTES);
  const view = new DataView(bytes.buffer);
  recall(bytes, CONDITIONS_AT);
  if (!hasValidCrc(bytes, 0, CONDITIONS_BYTES)) return;
  new Uint8Array(today.buffer).set(bytes.subarray(TODAY_AT, CRC_AT));
  for (let at = 0, from = 0; at < words.length; at += EACH, from += 2 * WORD) {
    const present = view.getUint32(from + WORD);
    words[at + ALARMS] = view.getUint32(from);
    words[at + PRESENT] = words[at + FOUND] = present;
    // The device has nothing that takes time.
    if (at) words[at + RESTORED] = present & LEARNED;
    words.fill(UNKNOWN, at + SINCE, at + EACH);
  }
  if (started !== undefined)
    eachKept(words, (since, at) => {
      const time = view.getUint32(at);
      if (time) words[since] = time - started;
    });
}
