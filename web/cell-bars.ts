/** Scale of the cell bars, chosen so that millivolt differences are visible. */

/** Smallest span of a bar, V. */
const LEAST = 0.02;

export interface BarScale {
  readonly low: number;
  readonly high: number;
}

export function barScale(voltages: readonly number[]): BarScale {
  const min = Math.min(...voltages);
  const max = Math.max(...voltages);
  const span = Math.max(LEAST, max - min);
  const floor = (value: number): number => Math.floor(value * 100 + 1e-6) / 100;
  return {
    low: Math.max(0, floor(min - span)),
    high: Math.ceil(max * 100 - 1e-6) / 100 + (max - min < LEAST ? 0.01 : 0),
  };
}

/** Filled part of the bar, 0 to 1. */
export const barPart = (voltage: number, { low, high }: BarScale): number =>
  Math.min(1, Math.max(0, (voltage - low) / (high - low)));
