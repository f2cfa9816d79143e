/** What the watcher has of each subject, and what of it is kept over a restart. */
import { keep, recall } from "application";
import { appendCrc, hasValidCrc } from "modbus/crc";
import { ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import * as sets from "../conditions/set";
import type { Conditions } from "../conditions/set";
import { ALARM_ROW, LEARNED } from "../conditions/table";
import { CONDITIONS_AT, CONDITIONS_BYTES, CONDITIONS_SUBJECTS, CONDITIONS_TIMES } from "../runtime/retained";
import { keyOf, type ConditionEdges } from "./condition-edges";

/**
 * Of the device, then of each pack: its alarms that are there, the conditions that are, those that were found last, and those from before the restart
 * that take time to be found; when it was looked at last, uptime, s; its alarm word as last known.
 */
export const ALARMS = 0;
export const PRESENT = 1;
export const FOUND = 2;
export const RESTORED = 3;
export const LOOKED = 4;
export const RAISED = 5;
export const EACH = 6;

// Kept: of each subject the alarms that are there, u32, and the conditions, u32 and u16; since when, u32 each, s since 1970 (0: unknown), of as many as
// there is room for, conditions and then alarms of each; what has begun today, as it is; CRC.
const WORD = 4;
const UPPER = 2 * WORD;
const KEPT_EACH = UPPER + 2;
const KEPT_SINCE = KEPT_EACH * CONDITIONS_SUBJECTS;
const CRC_AT = CONDITIONS_BYTES - 2;
const TODAY_AT = KEPT_SINCE + WORD * CONDITIONS_TIMES;

/** Calls `visit` with the key of each condition and alarm that is there, and the place of its time among those kept, while there is room. */
function eachKept(words: Float64Array, visit: (key: number, at: number) => void): void {
  let kept = KEPT_SINCE;
  for (let subject = 0; EACH * subject < words.length; subject++) {
    const present = words[EACH * subject + PRESENT] as unknown as Conditions;
    for (
      let row = sets.nextRow(present, 0);
      row < sets.MOST_ROWS && kept < TODAY_AT;
      row = sets.nextRow(present, row + 1)
    ) {
      visit(keyOf(subject, row), kept);
      kept += WORD;
    }
    const alarms = words[EACH * subject + ALARMS] as number;
    for (let row = 0; row < ALARMS_TABLE.length && kept < TODAY_AT; row++) {
      if (!isRaised(alarms, row)) continue;
      visit(keyOf(subject, ALARM_ROW + row), kept);
      kept += WORD;
    }
  }
}

/** @param started when the device started, s since 1970; undefined: unknown */
export function keepWords(
  words: Float64Array,
  edges: ConditionEdges,
  today: Uint16Array,
  started: number | undefined,
): void {
  const bytes = new Uint8Array(CONDITIONS_BYTES);
  const view = new DataView(bytes.buffer);
  for (let at = 0, to = 0; at < words.length; at += EACH, to += KEPT_EACH) {
    view.setUint32(to, words[at + ALARMS] as number);
    const present = words[at + PRESENT] as number;
    view.setUint32(to + WORD, present);
    view.setUint16(to + UPPER, present / 2 ** 32);
  }
  if (started !== undefined)
    eachKept(words, (key, at) => {
      const since = edges.sinceOf(key);
      if (since !== undefined) view.setUint32(at, started + since);
    });
  bytes.set(new Uint8Array(today.buffer), TODAY_AT);
  appendCrc(bytes, CRC_AT);
  keep(bytes, CONDITIONS_AT);
}

/** The same of the run before. */
export function recallWords(
  words: Float64Array,
  edges: ConditionEdges,
  today: Uint16Array,
  started: number | undefined,
): void {
  const bytes = new Uint8Array(CONDITIONS_BYTES);
  const view = new DataView(bytes.buffer);
  recall(bytes, CONDITIONS_AT);
  if (!hasValidCrc(bytes, 0, CONDITIONS_BYTES)) return;
  new Uint8Array(today.buffer).set(bytes.subarray(TODAY_AT, CRC_AT));
  for (let at = 0, from = 0; at < words.length; at += EACH, from += KEPT_EACH) {
    const present = view.getUint32(from + WORD) + view.getUint16(from + UPPER) * 2 ** 32;
    words[at + ALARMS] = words[at + RAISED] = view.getUint32(from);
    words[at + PRESENT] = words[at + FOUND] = present;
    // The device has nothing that takes time.
    if (at) words[at + RESTORED] = sets.common(present as unknown as Conditions, LEARNED) as unknown as number;
  }
  if (started !== undefined)
    eachKept(words, (key, at) => {
      const time = view.getUint32(at);
      if (time) edges.began(key, time - started, 0);
    });
}
