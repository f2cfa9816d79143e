import type { Conditions } from "./set";

/** What is wrong with the packs, by their places, and with the device, at DEVICE (src/events/condition-watcher.ts). */
export interface ConditionSource {
  /** Of CONCERNS, or of DEVICE_CONDITIONS. */
  presentOf(index: number): Conditions;
  /** The alarms, as a word like the pack's: one that flaps is there until it is calm. */
  alarmsOf(index: number): number;
  /** Uptime, s, at which the condition of that row, or the alarm of that row behind them (ALARM_ROW), began; negative: before the start; undefined: that is not known. */
  sinceOf(index: number, row: number): number | undefined;
  /** How often the condition of that row, or the alarm of that row behind them (ALARM_ROW), has begun today; undefined: unknown. */
  todayOf(index: number, row: number): number | undefined;
  /** What is judged of this row of the device's; undefined: no number is. */
  measurementOf(row: Conditions): Measured | undefined;
}

/** What was judged of a row, and the limit that it was compared with: integers with the decimals of its unit; undefined: unknown, or there is none. */
export type Measured = readonly [value: number | undefined, limit?: number | undefined];
