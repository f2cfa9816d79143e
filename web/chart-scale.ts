/** Ticks, gaps and sums of a chart; chart.tsx draws it. */

/** One value. */
export interface Sample {
  /** Seconds since 1970. */
  readonly time: number;
  /** Seconds that it stands for: until the next one, if none is missing. */
  readonly step: number;
  readonly value: number | undefined;
  /** Told with the value. */
  readonly note?: string | undefined;
}

/** A sample whose value is known. */
export type Known = Sample & { readonly value: number };

export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  /** Decimals the ticks need. */
  readonly decimals: number;
}

/** A pause longer than this multiple of a sample's step is a gap. */
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
export function runs(samples: readonly Sample[]): Known[][] {
  const result: Known[][] = [];
  let run: Known[] = [];
  let last: Sample | undefined;
  for (const sample of samples) {
    const { value } = sample;
    const isLate = last && sample.time - last.time > GAP_FACTOR * Math.max(last.step, sample.step);
    if ((isLate || value === undefined) && run.length) {
      result.push(run);
      run = [];
    }
    last = sample;
    if (value !== undefined) run.push({ ...sample, value });
  }
  if (run.length) result.push(run);
  return result;
}

/** Where there is nothing between the runs, and behind the last one until `to`. */
export function gapsBetween(runs: readonly (readonly Known[])[], to: number): { from: number; to: number }[] {
  return runs.flatMap((run, index) => {
    const { time, step } = run.at(-1) as Known;
    const next = runs[index + 1]?.[0]?.time;
    if (next === undefined && to - time <= GAP_FACTOR * step) return [];
    return [{ from: time + step, to: next ?? to }];
  });
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

/** The greatest and the least of each day by the browser's clock, at its noon; a day of which nothing is known has neither. */
export function extremesByDay(samples: readonly Sample[]): [most: Sample[], least: Sample[]] {
  const days = new Map<number, Sample[]>();
  for (const sample of samples) {
    const day = new Date(sample.time * 1_000).setHours(12, 0, 0, 0) / 1_000;
    const known = days.get(day);
    if (known) known.push(sample);
    else days.set(day, [sample]);
  }
  const rows = [...days].map(([time, ofDay]) => ({ time, step: 24 * HOUR, found: extent(ofDay) }));
  return [
    rows.map(({ time, step, found }) => ({ time, step, value: found?.high })),
    rows.map(({ time, step, found }) => ({ time, step, value: found?.low })),
  ];
}

/** What a mark on the axis of time stands for. */
type TickUnit = "hour" | "day" | "month";

export interface Tick {
  /** Seconds since 1970. */
  readonly time: number;
  readonly unit: TickUnit;
}

const HOUR_STEPS = [1, 2, 3, 4, 6, 12];
const DAY_STEPS = [1, 2, 3, 5, 7, 14];
const MONTH_STEPS = [1, 2, 3, 6];
const HOUR = 3_600;

/** Pixels that a time of day takes below a chart: "06:00", or "06:00 PM". */
export const hourWidth = (text: string): number => 10 + 7 * text.length;

/** How far a key of a slider goes, of whose places `page` are passed by Page Up; undefined: another key. */
export function keyStep(key: string, page: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: page, PageDown: -page },
    ...{ Home: -Infinity, End: Infinity },
  };
  return steps[key];
}

/** Round times by the browser's clock from `from` to `to` (seconds since 1970), `count` at most or one more: 06:00, midnights, firsts of months. */
export function clockTicks(from: number, to: number, count: number): Tick[] {
  const stepOf = (steps: readonly number[], seconds: number): number | undefined =>
    steps.find((step) => (to - from) / seconds / step <= count);
  const hours = stepOf(HOUR_STEPS, HOUR);
  const days = stepOf(DAY_STEPS, 24 * HOUR);
  const months = stepOf(MONTH_STEPS, 31 * 24 * HOUR) ?? 12;
  const unit = hours ? "hour" : days ? "day" : "month";
  const date = new Date(from * 1_000);
  date.setHours(0, 0, 0, 0);
  if (unit === "month") date.setDate(1);
  const ticks: Tick[] = [];
  // By the calendar, not by seconds: where a clock is set forward or back, marks stay at round hours.
  for (let time = 0; (time = date.getTime() / 1_000) <= to;) {
    if (time >= from) ticks.push({ time, unit });
    if (hours) date.setHours(date.getHours() + hours);
    else if (days) date.setDate(date.getDate() + days);
    else date.setMonth(date.getMonth() + months);
  }
  return ticks;
}

/** Index of the time nearest to `wanted` in the sorted times; -1 if the list is empty. */
export function nearest(times: readonly number[], wanted: number): number {
  let best = times.length - 1;
  for (let index = best - 1; index >= 0; index--)
    if (Math.abs((times[index] as number) - wanted) < Math.abs((times[best] as number) - wanted)) best = index;
  return best;
}
