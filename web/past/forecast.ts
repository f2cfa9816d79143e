/** The next 24 hours, projected from each of the last days: from now on, hour by hour, with what flowed at the same time of that day. */
import { DAY, type Hour } from "./records";

/** Fewer days say nothing; more are not asked for. */
export const MIN_DAYS = 5;
export const MOST_DAYS = 14;
/** s. */
const HOUR = 3_600;
const AHEAD = DAY / HOUR;
/** Part of the days below the band, and above it. */
const EDGE = 0.2;

/** Middle of the days, and the edges of the band. */
export interface Range {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

export interface Forecast {
  /** How many days were learned from. */
  readonly days: number;
  /** State of charge, %, now and after each hour. */
  readonly band: readonly Range[];
  /** When it is empty or full, seconds since 1970; undefined: on most days it would not be. */
  readonly empty: Range | undefined;
  readonly full: Range | undefined;
  /** The least charge, and when the middle of the days has it. */
  readonly least: Range & { readonly at: number };
}

/** Amperes of all `count` packs by the hour; an hour in which one is unknown is none. */
function netOf(hours: readonly Hour[], count: number): Map<number, number> {
  const sums = new Map<number, { sum: number; packs: number }>();
  for (const { time, current } of hours) {
    if (current === undefined) continue;
    const at = Math.floor(time / HOUR);
    const { sum, packs } = sums.get(at) ?? { sum: 0, packs: 0 };
    sums.set(at, { sum: sum + current, packs: packs + 1 });
  }
  return new Map([...sums].flatMap(([at, { sum, packs }]) => (packs === count ? [[at, sum]] : [])));
}

function rangeOf(values: readonly number[]): Range {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))] as number;
  return { low: at(EDGE), middle: at(0.5), high: at(1 - EDGE) };
}

/**
 * @param hours of the packs that are there now
 * @param count how many those are
 * @param now seconds since 1970
 * @param soc %
 * @param capacity Ah, of all packs
 * @returns undefined with fewer than MIN_DAYS days of which each hour is known.
 */
export function forecastOf(
  hours: readonly Hour[],
  count: number,
  now: number,
  soc: number,
  capacity: number,
): Forecast | undefined {
  const net = netOf(hours, count);
  const first = Math.floor(now / HOUR);
  const part = now / HOUR - first;
  const paths: number[][] = [];
  const empty: number[] = [];
  const full: number[] = [];
  for (let day = 1; day <= MOST_DAYS; day++) {
    // The hour that has begun and 24 more.
    const flows = Array.from({ length: AHEAD + 1 }, (_, hour) => net.get(first - day * AHEAD + hour));
    // The last one is not over yet on the day before.
    if (flows.slice(0, AHEAD).includes(undefined)) continue;
    const path = [soc];
    let isEmpty = false;
    let isFull = false;
    for (let hour = 0; hour < AHEAD; hour++) {
      const flow = (flows[hour] ?? 0) * (1 - part) + (flows[hour + 1] ?? flows[hour] ?? 0) * part;
      const before = path[hour] as number;
      const after = before + (100 * flow) / capacity;
      const reached = (end: number): number => now + (hour + (end - before) / (after - before)) * HOUR;
      if (after <= 0 && before > 0 && !isEmpty) empty.push(reached(0));
      if (after >= 100 && before < 100 && !isFull) full.push(reached(100));
      isEmpty ||= after <= 0;
      isFull ||= after >= 100;
      path.push(Math.min(100, Math.max(0, after)));
    }
    paths.push(path);
  }
  if (paths.length < MIN_DAYS) return undefined;
  const band = Array.from({ length: AHEAD + 1 }, (_, hour) => rangeOf(paths.map((path) => path[hour] as number)));
  const most = (times: readonly number[]): Range | undefined =>
    times.length > paths.length / 2 ? rangeOf(times) : undefined;
  const lowest = band.reduce((least, { middle }, hour) => (middle < (band[least] as Range).middle ? hour : least), 0);
  return {
    ...{ days: paths.length, band, empty: most(empty), full: most(full) },
    least: { ...rangeOf(paths.map((path) => Math.min(...path))), at: now + lowest * HOUR },
  };
}
