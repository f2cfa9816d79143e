/** What becomes of writes, in codes: they travel to the page, to MQTT and into the metrics, and are never to be changed. */
import type { WriteOutcome } from "jk-bms/outcomes";

/** Why a write did not enter the queue. */
export type RefusalReason = "unknown" | "invalid" | "offline" | "not-loaded" | "pending";

/**
 * How a write ended: as the link told, or without it having told. lost: the BMS went offline. timeout: no result in time. failed: an error
 * in the monitor.
 */
export type Outcome = WriteOutcome | "lost" | "timeout" | "failed";

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
