/** Outcome codes of writes. Used by the page, MQTT and the metrics: never change them. */
import type { WriteOutcome } from "jk-bms/outcomes";

/** Why a write was not queued. */
export type RefusalReason =
  "unknown" | "invalid" | "offline" | "not-loaded" | "pending" | "listening" | "other-pack" | "off-voltage";

/**
 * How a write ended: the link's result, or one of: lost (the BMS went offline), timeout (no result in time), failed (an
 * error in the monitor).
 */
export type Outcome = WriteOutcome | "lost" | "timeout" | "failed";

/** The interface that a write came by; as it is shown, too. */
export type Origin = "API" | "page" | "MQTT";

/** Why a setting for all packs has ended before its last pack; empty: it has not. */
export type JobProblem = "" | "interrupted" | "restarted";

/** How a write ended, machine-readable. */
export interface WriteReport {
  /** Name of the command or parameter. */
  readonly name: string;
  /** The requested value: "on", "3.65", "16", "\"Pack 1\"". */
  readonly value: string;
  /** Unit of a number, as in the catalogue: "V", "cells". Empty: none. */
  readonly unit: string;
  readonly outcome: Outcome;
  /**
   * For `refused` and `refused-applied`, the exception code; otherwise the value held by the BMS, in the form of `value`, if read back without
   * confirmation. Empty: none.
   */
  readonly detail: string;
  /** Undefined: the device itself. */
  readonly origin?: Origin | undefined;
  /** Address of the pack, where there are several. */
  readonly pack?: number | undefined;
}
