/**
 * How often each condition and alarm of the device and of each pack has begun today, by the owner's time; while that is not known, since it was last, or
 * since the start. Few begin in a day: those that have are listed, in one list for all. It has the day, since 1970 (0: unknown), which have begun (0:
 * free), and how often each.
 */
import { TODAY_ROWS } from "../runtime/retained";
import { MOST_TODAY } from "./limits";

/** The day is known. */
export function turn(today: Uint16Array, day: number): void {
  const [before] = today;
  if (before && day !== before) today.fill(0);
  today[0] = day;
}

/** Once more; of what there is no room for nothing is known. */
export function add(today: Uint16Array, key: number): void {
  const at = placeOf(today, key) || today.indexOf(0, 1);
  if (at < 0) return;
  today[at] = key;
  today[at + TODAY_ROWS] = Math.min((today[at + TODAY_ROWS] as number) + 1, MOST_TODAY);
}

/** Undefined: unknown. */
export function countOf(today: Uint16Array, key: number): number | undefined {
  const at = placeOf(today, key);
  if (at) return today[at + TODAY_ROWS];
  return today.includes(0, 1) ? 0 : undefined;
}

/** 0: it is not there. No count is 0 while none of the places is free. */
function placeOf(today: Uint16Array, key: number): number {
  const at = today.indexOf(key, 1);
  return at > TODAY_ROWS ? 0 : Math.max(at, 0);
}
