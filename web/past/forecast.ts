/** The next 24 hours, projected from each of the last days: from now on, hour by hour, with what flowed at the same time of that day. */
import { DAY, type Hour } from "./records";

/** Fewer days say nothing; more are not asked for. */
export const MIN_DAYS = 5;
export const MOST_DAYS = 14;
/** s. */
const HOUR = 3_600;
const AHEAD = DAY / HOUR;
/** Hours that the band is drawn for: until tomorrow evening. Behind the first 24 each day is taken once more. */
export const DRAWN = 43;
/** Part of the days below the band, and above it. */
const EDGE = 0.2;
/** From these charges on, %, a pack that takes, or gives, less than this part of its capacity in an hour is full, or empty. */
export const FULL = 99;
export const EMPTY = 1;
export const IDLE = 0.005;

/** Middle of the days, and the edges of the band. */
export interface Range {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

export interface Forecast {
  /** How many days were learned from. */
  readonly days: number;
  /** State of charge, %, now and after each of DRAWN hours. All else is of the next 24. */
  readonly band: readonly Range[];
  /** When it is empty or full, seconds since 1970; undefined: on most days it would not be. */
  readonly empty: Range | undefined;
  readonly full: Range | undefined;
  /** The least and the greatest charge, and after which hour the middle of the days has it. */
  readonly least: Range & { readonly at: number };
  readonly most: Range & { readonly at: number };
  /** These are not just the charge of now. */
  readonly falls: boolean;
  readonly rises: boolean;
}

function rangeOf(values: readonly number[]): Range {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))] as number;
  return { low: at(EDGE), middle: at(0.5), high: at(1 - EDGE) };
}

/**
 * Amperes of all `count` packs by the hour; an hour in which one is unknown is none. A full battery takes nothing however the sun shines, an
 * empty one gives nothing: such an hour stands for what flowed in it on the other days, or else in the hour before.
 */
function netOf(hours: readonly Hour[], count: number, capacity: number): Map<number, number> {
  const sums = new Map<number, { flow: number; soc: number; packs: number }>();
  for (const { time, current, soc = NaN } of hours) {
    if (current === undefined) continue;
    const at = Math.floor(time / HOUR);
    const sum = sums.get(at) ?? { flow: 0, soc: 0, packs: 0 };
    sums.set(at, { flow: sum.flow + current, soc: sum.soc + soc / count, packs: sum.packs + 1 });
  }
  const net = new Map<number, number>();
  const free: number[][] = [];
  /** By hour: 1 if more could have flowed in, -1 if out. */
  const ends = new Map<number, number>();
  for (const [at, { flow, soc, packs }] of sums) {
    if (packs !== count) continue;
    net.set(at, flow);
    const end = soc >= FULL && flow > -IDLE * capacity ? 1 : soc <= EMPTY && flow < IDLE * capacity ? -1 : 0;
    if (end) ends.set(at, end);
    else (free[at % AHEAD] ??= []).push(flow);
  }
  for (const [at, end] of ends) {
    const flow = net.get(at) as number;
    const others = free[at % AHEAD];
    const instead = others ? rangeOf(others).middle : (net.get(at - 1) ?? flow);
    net.set(at, end * Math.max(end * flow, end * instead));
  }
  return net;
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
  const net = netOf(hours, count, capacity);
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
    for (let hour = 0; hour < DRAWN; hour++) {
      const [begun, next = begun] = [flows[hour % AHEAD] ?? 0, flows[(hour % AHEAD) + 1]];
      const flow = begun * (1 - part) + next * part;
      const before = path[hour] as number;
      const after = before + (100 * flow) / capacity;
      const reached = (end: number): number => now + (hour + (end - before) / (after - before)) * HOUR;
      if (hour < AHEAD && after <= 0 && before > 0 && !isEmpty) empty.push(reached(0));
      if (hour < AHEAD && after >= 100 && before < 100 && !isFull) full.push(reached(100));
      isEmpty ||= after <= 0;
      isFull ||= after >= 100;
      path.push(Math.min(100, Math.max(0, after)));
    }
    paths.push(path);
  }
  if (paths.length < MIN_DAYS) return undefined;
  const band = Array.from({ length: DRAWN + 1 }, (_, hour) => rangeOf(paths.map((path) => path[hour] as number)));
  const usual = (times: readonly number[]): Range | undefined =>
    times.length > paths.length / 2 ? rangeOf(times) : undefined;
  const middles = band.slice(0, AHEAD + 1).map(({ middle }) => middle);
  const end = (of: typeof Math.min): Forecast["least"] => ({
    ...rangeOf(paths.map((path) => of(...path.slice(0, AHEAD + 1)))),
    at: now + middles.indexOf(of(...middles)) * HOUR,
  });
  const [least, most] = [end(Math.min), end(Math.max)];
  return {
    ...{ days: paths.length, band, empty: usual(empty), full: usual(full) },
    ...{ least, most, falls: least.middle < soc - 1, rises: most.middle > soc + 1 },
  };
}
