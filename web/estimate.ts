/** Direction of the current and time to full or empty. */
import type { Status } from "./documents";

/** Below this current (A) the pack is idle; the current sensor's noise is lower. */
export const IDLE_CURRENT = 0.2;
/** Longest useful estimate, s. */
export const MAX_ESTIMATE = 7 * 86_400;
/** Share of the capacity at the end of a charge in which the current may taper, and how many times as long it may take by that. */
export const TAPER = 0.1;
const TAPER_FACTOR = 2;
/** From so many charges of the last days on they alone tell; of fewer they widen what is thought. */
export const LEAST_CHARGES = 3;
/** More is a charge that was cut back by other things. */
export const MOST_TAPER = 5;
/** Currents older than this say nothing of the next hours, ms. */
export const RECENT = 600_000;
/** At most so many of them: one every 4 s is 150. */
export const MOST_CURRENTS = 200;

export type Direction = "charging" | "discharging" | "idle";

/** The BMS reports charging current as positive. */
export function direction(current: number): Direction {
  if (Math.abs(current) < IDLE_CURRENT) return "idle";
  return current > 0 ? "charging" : "discharging";
}

const recent: (readonly [time: number, current: number])[] = [];

/** Notes a current (A) at `time` (ms); null: unknown. Another direction, or none, begins anew. */
export function sawCurrent(current: number | null, time: number): void {
  const last = recent.at(-1);
  if (current === null || (last && direction(last[1]) !== direction(current))) recent.length = 0;
  if (current !== null) recent.push([time, current]);
  while (recent.length > MOST_CURRENTS || (recent[0] && time - recent[0][0] > RECENT)) recent.shift();
}

/** Mean of the recent currents, A; undefined: none was seen. */
export const recentCurrent = (): number | undefined =>
  recent.length ? recent.reduce((sum, [, current]) => sum + current, 0) / recent.length : undefined;

let tapers: readonly [least: number, most: number] = [1, TAPER_FACTOR];

/** What the last days have shown: how many times as long the end of each charge took (past/taper.ts). */
export function learnTapers(found: readonly number[]): void {
  const known = found.map((taper) => Math.min(MOST_TAPER, Math.max(1, taper)));
  const all = known.length < LEAST_CHARGES ? [1, TAPER_FACTOR, ...known] : known;
  tapers = [Math.min(...all), Math.max(...all)];
}

/** Seconds, at the earliest and at the latest. */
export type Estimate = readonly [soonest: number, latest: number];

/**
 * Until the pack is full or empty, from its remaining charge and capacity (Ah): at the present current or at the recent one (A), whichever
 * is faster or slower, and later by what the taper takes at the end of a charge.
 * @returns undefined when it is idle, already full or empty, or beyond MAX_ESTIMATE.
 */
export function secondsLeft(
  current: number,
  remaining: number,
  capacity: number,
  usual: number = current,
): Estimate | undefined {
  const way = direction(current);
  if (way === "idle") return undefined;
  const isFilling = way === "charging";
  const charge = isFilling ? capacity - remaining : remaining;
  if (!(charge > 0)) return undefined;
  const rates = [current, direction(usual) === way ? usual : current].map(Math.abs);
  const tail = isFilling ? Math.min(charge, TAPER * capacity) : 0;
  const [soonest = 1, most = 1] = tapers.map((taper) => charge + tail * (taper - 1));
  const latest = (most / Math.min(...rates)) * 3_600;
  return latest <= MAX_ESTIMATE ? [(soonest / Math.max(...rates)) * 3_600, latest] : undefined;
}

/** The same for what the BMS reports; undefined also while that is unknown. */
export function estimateOf({
  pack: { current },
  remainingCapacityAh,
  capacityAh,
  isPartial,
}: Status): Estimate | undefined {
  if (isPartial || current === null || remainingCapacityAh === null || capacityAh === null) return undefined;
  return secondsLeft(current, remainingCapacityAh, capacityAh, recentCurrent());
}

/** Ends that are closer than this part of the time are one. */
const CLOSE = 0.1;

/** As it is shown: the ends rounded outwards to 1, 5 or 15 minutes; one end if they are close. */
export function shownEnds([soonest, latest]: Estimate, from = 0): readonly number[] {
  if (latest - soonest < CLOSE * latest) return [from + (soonest + latest) / 2];
  const grain = latest < 600 ? 60 : latest < 7_200 ? 300 : 900;
  return [Math.floor((from + soonest) / grain) * grain, Math.ceil((from + latest) / grain) * grain];
}
