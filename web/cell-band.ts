/** The scale on which all cells are drawn, and where in it a voltage lies. */

/** Least height of the scale, mV: smaller differences are noise. */
const LEAST = 20;
/** The scale ends at multiples of the first of these of which so many hold all cells, mV. */
const STEPS = [5, 10, 20, 50, 100, 200, 500];
const MOST_STEPS = 4;

/** V. */
export interface CellBand {
  readonly low: number;
  readonly high: number;
}

/** Close around the voltages, of which there is one at least. None lies on its lower end: a column without height would look like none. */
export function cellBand(voltages: readonly number[]): CellBand {
  const inMillivolts = voltages.map((volts) => Math.round(volts * 1_000));
  const min = Math.min(...inMillivolts);
  const max = Math.max(...inMillivolts);
  const step = STEPS.find((one) => one * MOST_STEPS >= max - min) ?? 1_000;
  let low = (Math.ceil(min / step) - 1) * step;
  let high = Math.ceil(max / step) * step;
  while (high - low < LEAST) {
    low -= step;
    high += step;
  }
  return { low: Math.max(0, low) / 1_000, high: high / 1_000 };
}

/** From the under- to the over-voltage protection, and to any cell beyond; undefined: the BMS's own are not known. */
export function protectedBand(
  { low, high }: CellBand,
  underVoltage: unknown,
  overVoltage: unknown,
): CellBand | undefined {
  return typeof underVoltage === "number" && typeof overVoltage === "number" && underVoltage < overVoltage
    ? { low: Math.min(low, underVoltage), high: Math.max(high, overVoltage) }
    : undefined;
}

/** Height in the band, 0 (bottom) to 1 (top). */
export const bandPart = (voltage: number, { low, high }: CellBand): number =>
  Math.min(1, Math.max(0, (voltage - low) / (high - low)));
