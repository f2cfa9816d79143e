import type { Outcome, RefusalReason } from "./outcomes";

/** How accepted writes end; never to be changed: metrics are called after them. */
export const ENDING_OUTCOMES: readonly Outcome[] = Object.freeze(
  [
    "confirmed",
    "refused",
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
  ] as const,
  true,
);

/** Why writes are not accepted. */
export const REFUSAL_REASONS: readonly RefusalReason[] = Object.freeze(
  ["unknown", "invalid", "offline", "not-loaded", "pending"] as const,
  true,
);

/** What became of the writes since the start, counted by the places in the lists above. */
export class WriteCounters {
  /** The endings, then the refusals. */
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

  /** Writes that ended as ENDING_OUTCOMES has it at `place`. */
  endings(place: number): number {
    return this.counts[place] as number;
  }

  /** Writes refused as REFUSAL_REASONS has it at `place`. */
  refusals(place: number): number {
    return this.counts[ENDING_OUTCOMES.length + place] as number;
  }
}
