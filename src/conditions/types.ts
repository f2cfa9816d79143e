/** What is wrong with the packs, by their places (src/events/condition-watcher.ts). */
export interface ConditionSource {
  /** As bits of CONCERNS. */
  presentOf(index: number): number;
  /** The alarm word, as last known. */
  alarmsOf(index: number): number;
  /** Uptime, s, at which the condition of that row began. */
  sinceOf(index: number, row: number): number;
}

/** What was judged of a row, and the limit that it was compared with: integers with the decimals of its unit; undefined: unknown, or there is none. */
export type Measured = readonly [value: number | undefined, limit?: number | undefined];
