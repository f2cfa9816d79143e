/** What becomes of writes, in codes: they travel to the page, to MQTT and into the metrics, and are never to be changed. */

/** Why a write did not enter the queue. */
export type RefusalReason = "unknown" | "invalid" | "offline" | "not-loaded" | "pending";

/**
 * How a write ended: by WriteResult of jk-bms, or without the link having told. lost: the BMS went offline. timeout: no result in time.
 * failed: an error in the monitor.
 */
export type Outcome =
  | "confirmed"
  | "refused"
  | "not-applied"
  | "unverified"
  | "no-reply"
  | "no-reply-applied"
  | "no-reply-not-applied"
  | "mismatch"
  | "not-sent"
  | "lost"
  | "timeout"
  | "failed";

/** How a write ended, for programs. */
export interface WriteReport {
  /** Of the command or setting. */
  readonly name: string;
  /** What was asked for: "on", "3.65 V", "16 cells", "\"Pack 1\"". */
  readonly value: string;
  readonly outcome: Outcome;
  /** Of `refused` the exception's code; else what the BMS holds, as far as it was read back without being confirmed. Empty: nothing. */
  readonly detail: string;
}
