/** Dates of days since 1970. */
import { MANY_PACKS } from "./limits";

/** 1 January 1970 was a Thursday, and weeks begin on Monday. */
const THURSDAY = 3;
const WEEK = 7;
const LONGEST_MONTH = 31;
const DAY = 86_400;

/** Days of 400 years; and from 1 March of the year 0, where such a cycle begins, to 1970. */
const CYCLE = 146_097;
const BEFORE_1970 = 719_468;

/** Month, from 1, and day of the month, of a day since 1970. */
export function dateOf(day: number): { readonly month: number; readonly day: number } {
  const inCycle = (day + BEFORE_1970) % CYCLE;
  const leaps = Math.floor(inCycle / 1_460) - Math.floor(inCycle / 36_524) + Math.floor(inCycle / 146_096);
  const year = Math.floor((inCycle - leaps) / 365);
  const inYear = inCycle - 365 * year - Math.floor(year / 4) + Math.floor(year / 100);
  // Five months have 153 days, from March on.
  const month = Math.floor((5 * inYear + 2) / 153);
  return { month: month < 10 ? month + 3 : month - 9, day: inYear - Math.floor((153 * month + 2) / 5) + 1 };
}

/** The first day of the time for which the cells of so many packs are recorded: of the week, or of the month. */
export const periodOf = (day: number, packs: number): number =>
  packs < MANY_PACKS ? day - ((day + THURSDAY) % WEEK) : day - dateOf(day).day + 1;

/** The first day of the next one. */
export const periodAfter = (first: number, packs: number): number =>
  periodOf(first + (packs < MANY_PACKS ? WEEK : LONGEST_MONTH), packs);

/** The owner's time zone. */
export interface Zone {
  /** Seconds from UTC to the owner's time at `utc`, seconds since 1970. */
  offsetAt(utc: number): number;
}

/** The day at `utc`, by the owner's time since 1970. */
export const dayAt = (utc: number, zone: Zone): number => Math.floor((utc + zone.offsetAt(utc)) / DAY);

/** UTC at the beginning of a day by the owner's time. */
export function midnightOf(day: number, zone: Zone): number {
  const about = day * DAY - zone.offsetAt(day * DAY);
  const midnight = day * DAY - zone.offsetAt(about);
  // West of Greenwich, where the clock skips midnight.
  return dayAt(midnight, zone) < day ? about : midnight;
}
