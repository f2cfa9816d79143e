/** What went through the pack since the device was first started, kept across restarts. */
export interface Energy {
  /** Watt-hours charged into the pack; only rises. */
  readonly charged: number;
  /** Watt-hours discharged from the pack; only rises. */
  readonly discharged: number;
}
