/** Joules, whole. */
export interface Counters {
  readonly charged: number;
  readonly discharged: number;
}

/** What went through the pack since the device was first started, kept across restarts. */
export interface Energy {
  /**
   * As last stored, which is what is published: it never falls, since a power cut takes only what came after it. Undefined until what was
   * counted before has been read.
   */
  readonly stored: Counters | undefined;
}
