/** Ticks, gaps and sums of a chart; chart.tsx draws it. */

/** One value at a time in seconds relative to now (negative: past). */
export interface Sample {
  readonly time: number;
  readonly value: number | undefined;
}

export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  /** Decimals the ticks need. */
  readonly decimals: number;
}

/** A pause longer than this multiple of the usual sample interval is a gap. */
const GAP_FACTOR = 2.5;
const STEPS = [1, 2, 5, 10];

/** About `count` ticks at 1, 2 or 5 times a power of ten that enclose `low` to `high`; `least`: smallest height of the scale. */
export function scale(low: number, high: number, count: number, least = 0): Scale {
  const middle = (low + high) / 2;
  const half = Math.max((high - low) / 2, least / 2) || 0.5;
  const rough = (2 * half) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (STEPS.find((factor) => factor * power >= rough * 0.999) ?? 10);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const first = Math.floor((middle - half) / step + 1e-9);
  const last = Math.ceil((middle + half) / step - 1e-9);
  const ticks: number[] = [];
  for (let index = first; index <= last; index++) ticks.push(Number((index * step).toFixed(decimals)));
  return { low: ticks[0] as number, high: ticks[ticks.length - 1] as number, ticks, decimals };
}

/** Splits the samples into unbroken runs: at missing values and at gaps in time. */
export function runs(samples: readonly Sample[]): { time: number; value: number }[][] {
  const longest = GAP_FACTOR * usualDistance(samples);
  const result: { time: number; value: number }[][] = [];
  let run: { time: number; value: number }[] = [];
  let last: number | undefined;
  for (const { time, value } of samples) {
    const broken = value === undefined || (last !== undefined && time - last > longest);
    if (broken && run.length) {
      result.push(run);
      run = [];
    }
    last = time;
    if (value !== undefined) run.push({ time, value });
  }
  if (run.length) result.push(run);
  return result;
}

function usualDistance(samples: readonly Sample[]): number {
  const distances = samples.slice(1).map(({ time }, index) => time - (samples[index] as Sample).time);
  if (!distances.length) return Infinity;
  return distances.sort((a, b) => a - b)[Math.floor(distances.length / 2)] as number;
}

export interface Extent {
  readonly low: number;
  readonly high: number;
  readonly last: number;
}

/** Undefined when no sample has a value. */
export function extent(samples: readonly Sample[]): Extent | undefined {
  const values = samples.flatMap(({ value }) => (value === undefined ? [] : [value]));
  if (!values.length) return undefined;
  return { low: Math.min(...values), high: Math.max(...values), last: values[values.length - 1] as number };
}

const TIME_STEPS = [300, 600, 900, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600, 43_200, 86_400];

/** Times (s, negative) to label between `first` and now: at most `count`, plus now. */
export function timeTicks(first: number, count: number): number[] {
  const step = TIME_STEPS.find((seconds) => -first / seconds <= count) ?? 86_400 * Math.ceil(-first / 86_400 / count);
  const ticks: number[] = [];
  for (let time = 0; time >= first; time -= step) ticks.unshift(time);
  return ticks;
}

/** Index of the time nearest to `wanted` in the sorted times; -1 if the list is empty. */
export function nearest(times: readonly number[], wanted: number): number {
  let best = times.length - 1;
  for (let index = best - 1; index >= 0; index--)
    if (Math.abs((times[index] as number) - wanted) < Math.abs((times[best] as number) - wanted)) best = index;
  return best;
}
