/** Where the power goes and how long that can last. */

/** A: below it the pack rests; the current sensor's noise is less. */
export const IDLE_CURRENT = 0.2;
/** Seconds: an estimate beyond it says nothing. */
export const MAX_ESTIMATE = 7 * 86_400;

export type Direction = "charging" | "discharging" | "idle";

/** The BMS counts charging current as positive. */
export function direction(current: number): Direction {
  if (Math.abs(current) < IDLE_CURRENT) return "idle";
  return current > 0 ? "charging" : "discharging";
}

/**
 * Seconds until the pack is full or empty at the present current (A), from the charge in it and its capacity (Ah).
 * @returns undefined when it rests, is full or empty already, or when it would take longer than MAX_ESTIMATE.
 */
export function secondsLeft(current: number, remaining: number, capacity: number): number | undefined {
  const way = direction(current);
  if (way === "idle") return undefined;
  const charge = way === "charging" ? capacity - remaining : remaining;
  if (!(charge > 0)) return undefined;
  const seconds = (charge / Math.abs(current)) * 3_600;
  return seconds <= MAX_ESTIMATE ? seconds : undefined;
}
