/** The band on which all cells are drawn, and where in it a voltage lies. */

/** Smallest height of a band without limits, V: smaller differences are noise. */
const LEAST = 0.02;

export interface CellBand {
  /** V. */
  readonly low: number;
  readonly high: number;
  /** The BMS's own protections, if the band is theirs. */
  readonly limits?: readonly [underVoltage: number, overVoltage: number];
}

/** From the under- to the over-voltage protection, and to any cell beyond; around the cells while these are unknown. */
export function cellBand(voltages: readonly number[], underVoltage: unknown, overVoltage: unknown): CellBand {
  const min = Math.min(...voltages);
  const max = Math.max(...voltages);
  if (typeof underVoltage === "number" && typeof overVoltage === "number" && underVoltage < overVoltage)
    return {
      ...{ low: Math.min(min, underVoltage), high: Math.max(max, overVoltage) },
      limits: [underVoltage, overVoltage],
    };
  const span = Math.max(LEAST, max - min);
  return { low: Math.max(0, min - span), high: max + span };
}

/** Height in the band, 0 (bottom) to 1 (top). */
export const bandPart = (voltage: number, { low, high }: CellBand): number =>
  Math.min(1, Math.max(0, (voltage - low) / (high - low)));
