/** The cells of a pack over months: how far apart they are, who leads, and who drifts. */
import { quantity, type Language } from "../format";
import type { PastTexts } from "../texts/later/past";
import { DAY, type Week } from "./records";

/** Weeks with a record that a drift needs, and its least size, mV a week: a distance is recorded in steps of 1 mV. */
export const MIN_WEEKS = 6;
export const MIN_DRIFT = 0.5;
/** The newest of them count. */
export const MOST_WEEKS = 26;
/** A spread that has grown by so much, mV, from the first of these weeks to the last is never called still. */
export const MIN_GROWTH = 5;
const GROWTH_WEEKS = 3;
/** A drift is reported only above this many times its standard error: anything less is scatter. */
const SURE = 3;

type Distances = Week["rest"];

/** From so many packs on, cells are recorded by the month. */
const MONTHLY = 5;
/** s. */
export const WEEK = 7 * DAY;
const MONTH = 31 * DAY;

/** Seconds from a record of a pack's cells to the next. @param weeks of all packs */
export const stepOf = (weeks: readonly Week[]): number =>
  new Set(weeks.map(({ pack }) => pack)).size < MONTHLY ? WEEK : MONTH;

/** Those of a pack; of the one that was recorded last if none is named: it is the only one. */
export function weeksOf<Row extends { readonly pack: number }>(rows: readonly Row[], pack = rows.at(-1)?.pack): Row[] {
  return rows.filter((row) => row.pack === pack);
}

export interface Drift {
  /** From 1. */
  readonly cell: number;
  /** mV a week, negative when it falls behind. */
  readonly drift: number;
}

/** Millivolts between the highest and the lowest, and the number of the lowest; undefined: unknown. */
export function spreadOf(distances: Distances): { readonly spread: number; readonly cell: number } | undefined {
  const known = distances.filter((one) => one !== undefined);
  if (!known.length) return undefined;
  const least = Math.min(...known);
  return { spread: Math.max(...known) - least, cell: distances.indexOf(least) + 1 };
}

/** Cells that drift from the mean, the fastest first; undefined: there are too few weeks. */
export function driftsOf(weeks: readonly Week[], key: "rest" | "full"): Drift[] | undefined {
  const known = weeks.filter(({ [key]: each }) => spreadOf(each)).slice(-MOST_WEEKS);
  if (known.length < MIN_WEEKS) return undefined;
  const drifts: Drift[] = [];
  for (let cell = 0; cell < Math.max(...known.map(({ [key]: each }) => each.length)); cell++) {
    const points = known.flatMap(({ time, [key]: { [cell]: y } }) => (y === undefined ? [] : [{ x: time / WEEK, y }]));
    const drift = slope(points);
    if (drift !== undefined && Math.abs(drift) >= MIN_DRIFT) drifts.push({ cell: cell + 1, drift });
  }
  return drifts.sort((one, other) => Math.abs(other.drift) - Math.abs(one.drift));
}

/** Of the line of least squares; undefined: too few points, or it is not sure. */
function slope(points: readonly { readonly x: number; readonly y: number }[]): number | undefined {
  const count = points.length;
  if (count < MIN_WEEKS) return undefined;
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / count;
  const x = mean((point) => point.x);
  const y = mean((point) => point.y);
  const width = count * mean((point) => (point.x - x) ** 2);
  if (!width) return undefined;
  const result = (count * mean((point) => (point.x - x) * (point.y - y))) / width;
  const rest = count * mean((point) => (point.y - y - result * (point.x - x)) ** 2);
  return Math.abs(result) > SURE * Math.sqrt(rest / (count - 2) / width) ? result : undefined;
}

/** What drifts, in sentences: all cells, or one. */
export function driftLines(weeks: readonly Week[], words: PastTexts, language: Language, only?: number): string[] {
  const told = (["rest", "full"] as const).map((key) => ({
    key,
    drifts: driftsOf(weeks, key)?.filter(({ cell }) => only === undefined || cell === only),
  }));
  if (told.every(({ drifts }) => !drifts)) return [words.drift.few(String(MIN_WEEKS))];
  const lines = told.flatMap(({ key, drifts = [] }) =>
    drifts.map(({ cell, drift }) =>
      words.drift[drift < 0 ? "falls" : "rises"](
        String(cell),
        quantity(language, Math.abs(drift), "mV", 1),
        words.drift[key],
      ),
    ),
  );
  if (only !== undefined || lines.length) return lines;
  const wider = (["rest", "full"] as const).flatMap((key) => {
    const growth = growthOf(weeks, key);
    return growth < MIN_GROWTH ? [] : [words.drift.wider(quantity(language, growth, "mV", 0), words.drift[key])];
  });
  return wider.length ? wider : [words.drift.none(quantity(language, MIN_DRIFT, "mV", 1))];
}

/** By how much the spread has grown over all weeks, mV: the median of the last weeks against that of the first. */
function growthOf(weeks: readonly Week[], key: "rest" | "full"): number {
  const spreads = weeks.flatMap(({ [key]: each }) => spreadOf(each)?.spread ?? []);
  const median = (some: number[]): number => some.sort((one, other) => one - other)[some.length >> 1] ?? 0;
  return median(spreads.slice(-GROWTH_WEEKS)) - median(spreads.slice(0, GROWTH_WEEKS));
}
