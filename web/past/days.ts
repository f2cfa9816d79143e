/** Days by the calendar, their sums, and what comes back of what is charged. */
import { localDate } from "../format";
import { energyOf, gapsIn, within, type Span } from "./night";
import { DAY, type Day, type Fine } from "./records";

/** s. */
const SHORTEST_ROUND = 2 * DAY;
/** %: at its ends the BMS no longer counts. */
const EMPTY = 0;
const FULL = 100;

/** A day by the browser's clock, "2026-11-26". Taken at noon: the owner's midnight may be in the browser's day before. */
export const dateOf = ({ time }: Pick<Day, "time">): string => localDate(time + DAY / 2);

/** The date so many days later. */
export function laterBy(days: number, date: string): string {
  return new Date(Date.parse(date) + days * DAY * 1_000).toISOString().slice(0, 10);
}

export interface Sum {
  /** kWh; undefined: unknown of every day. */
  readonly charged: number | undefined;
  readonly discharged: number | undefined;
}

/** Of the days whose date begins with `start`: a year, or a year and its month. */
export function sumOf(days: readonly Day[], start: string): Sum {
  const those = days.filter((day) => dateOf(day).startsWith(start));
  const sum = (key: "charged" | "discharged"): number | undefined => {
    const known = those.flatMap(({ [key]: value }) => value ?? []);
    return known.length ? known.reduce((all, one) => all + one, 0) : undefined;
  };
  return { charged: sum("charged"), discharged: sum("discharged") };
}

/** Of the 144 ten minutes of a day, so many tell what it was worth. */
export const MOST_OF_A_DAY = 120;

/** The days with the most and the least charged, of those that are over and recorded for the most part; undefined: there are not two of them. */
export function extremesOf(days: readonly Day[]): { readonly best: Day; readonly worst: Day } | undefined {
  const known = days.filter(({ charged, tenMinutes = 0 }) => charged !== undefined && tenMinutes >= MOST_OF_A_DAY);
  known.sort((one, other) => Number(other.charged) - Number(one.charged));
  return known.length > 1 ? { best: known[0] as Day, worst: known.at(-1) as Day } : undefined;
}

export interface RoundTrip extends Span {
  /** Out by in, 0 to 1. */
  readonly share: number;
}

/**
 * Energy out by energy in over the longest time without a gap between two equal charges, of which neither is full nor empty.
 * @returns undefined: there is none of SHORTEST_ROUND, or more came out than went in, which no battery does.
 */
export function roundTripOf(rows: readonly Fine[]): RoundTrip | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return undefined;
  const whole = { from: first.time, to: last.time + last.step };
  const ends = gapsIn(rows, whole).flatMap(({ from, to }) => [from, to]);
  const borders = [whole.from, ...ends.sort((one, other) => one - other), whole.to];
  let found: Span = { from: 0, to: SHORTEST_ROUND };
  // Between two gaps.
  for (let at = 0; at < borders.length; at += 2) {
    const part = within(rows, { from: borders[at] as number, to: borders[at + 1] as number });
    /** When each charge was reached first. */
    const seen = new Map<number, number>();
    for (const { time, step, soc } of part) {
      if (soc === undefined || soc <= EMPTY || soc >= FULL) continue;
      const to = time + step;
      const from = seen.get(soc) ?? to;
      seen.set(soc, from);
      if (to - from >= found.to - found.from) found = { from, to };
    }
  }
  const energy = energyOf(within(rows, found));
  const share = energy && energy.discharged / energy.charged;
  return share !== undefined && share <= 1 ? { share, ...found } : undefined;
}
