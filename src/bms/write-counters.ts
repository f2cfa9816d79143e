import type { Outcome, RefusalReason } from "./outcomes";

/** Outcomes of accepted writes; never change them: they name metrics. */
export const ENDING_OUTCOMES: readonly Outcome[] = Object.freeze(
  [
    "confirmed",
    "refused",
    "refused-applied",
    "not-applied",
    "unverified",
    "no-reply",
    "no-reply-applied",
    "no-reply-not-applied",
    "mismatch",
    "not-sent",
    "lost",
    "timeout",
    "failed",
    "not-sent-busy",
    "not-sent-other",
    "unidentified",
    "exchanged",
  ] as const,
  true,
);

/** Reasons for rejecting a write; never change them: they name metrics. */
export const REFUSAL_REASONS: readonly RefusalReason[] = Object.freeze(
  ["unknown", "invalid", "offline", "not-loaded", "pending", "listening", "other-pack", "off-voltage"] as const,
  true,
);

/** Write statistics since boot, indexed by the lists above. */
export class WriteCounters {
  /** The outcomes, then the refusals. */
  private readonly counts = new Uint32Array(ENDING_OUTCOMES.length + REFUSAL_REASONS.length);

  ended(outcome: Outcome): void {
    this.count(ENDING_OUTCOMES.indexOf(outcome));
  }

  refused(reason: RefusalReason): void {
    this.count(ENDING_OUTCOMES.length + REFUSAL_REASONS.indexOf(reason));
  }

  private count(place: number): void {
    this.counts[place] = (this.counts[place] as number) + 1;
  }

  /** Accepted writes by how they ended: ENDING_OUTCOMES. */
  get endings(): Uint32Array {
    return this.counts.subarray(0, ENDING_OUTCOMES.length);
  }

  /** Rejected writes by the reason: REFUSAL_REASONS. */
  get refusals(): Uint32Array {
    return this.counts.subarray(ENDING_OUTCOMES.length);
  }
}
