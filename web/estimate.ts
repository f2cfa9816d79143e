/** Direction of the current and time to full or empty. */
import type { Status } from "./documents";

/** Below this current (A) the pack is idle; the current sensor's noise is lower. */
export const IDLE_CURRENT = 0.2;
/** Longest useful estimate, s. */
export const MAX_ESTIMATE = 7 * 86_400;

export type Direction = "charging" | "discharging" | "idle";

/** The BMS reports charging current as positive. */
export function direction(current: number): Direction {
  if (Math.abs(current) < IDLE_CURRENT) return "idle";
  return current > 0 ? "charging" : "discharging";
}

/**
 * Seconds until the pack is full or empty at the present current (A), from its remaining charge and capacity (Ah).
 * @returns undefined when it is idle, already full or empty, or beyond MAX_ESTIMATE.
 */
export function secondsLeft(current: number, remaining: number, capacity: number): number | undefined {
  const way = direction(current);
  if (way === "idle") return undefined;
  const charge = way === "charging" ? capacity - remaining : remaining;
  if (!(charge > 0)) return undefined;
  const seconds = (charge / Math.abs(current)) * 3_600;
  return seconds <= MAX_ESTIMATE ? seconds : undefined;
}

/** The same for what the BMS reports; undefined also while that is unknown. */
export function estimateOf({ pack: { current }, remainingCapacityAh, capacityAh }: Status): number | undefined {
  if (current === null || remainingCapacityAh === null || capacityAh === null) return undefined;
  return secondsLeft(current, remainingCapacityAh, capacityAh);
}
