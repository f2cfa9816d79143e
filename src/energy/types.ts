/** Joules, whole. */
export interface Counters {
  readonly charged: number;
  readonly discharged: number;
}

/** Energy through the pack since the device's first start, kept across restarts. */
export interface Energy {
  /**
   * As last stored. This is the published value: it never decreases, since a power cut loses only what came after it.
   * Undefined until the stored counters have been loaded.
   */
  readonly stored: Counters | undefined;
}
