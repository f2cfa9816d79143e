/** Days by the calendar, their sums, and what comes back of what is charged. */
import { localDate } from "../format";
import { gapsIn } from "./night";
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

/** The days with the most and the least charged, of those that are over; undefined: there are not two of them. */
export function extremesOf(days: readonly Day[]): { readonly best: Day; readonly worst: Day } | undefined {
  const known = days.filter(({ charged }) => charged !== undefined);
  known.sort((one, other) => Number(other.charged) - Number(one.charged));
  return known.length > 1 ? { best: known[0] as Day, worst: known.at(-1) as Day } : undefined;
}

export interface RoundTrip {
  /** Out by in, 0 to 1. */
  readonly share: number;
  /** Seconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/**
 * Energy out by energy in over the longest time without a gap between two equal charges, of which neither is full nor empty.
 * @returns undefined: there is none of SHORTEST_ROUND.
 */
export function roundTripOf(rows: readonly Fine[]): RoundTrip | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return undefined;
  const whole = { from: first.time, to: last.time + last.step };
  const ends = gapsIn(rows, whole).flatMap(({ from, to }) => [from, to]);
  const borders = [whole.from, ...ends.sort((one, other) => one - other), whole.to];
  let found: RoundTrip | undefined;
  // Between two gaps.
  for (let at = 0; at < borders.length; at += 2) {
    const part = rows.filter(({ time }) => time >= (borders[at] as number) && time < (borders[at + 1] as number));
    const seen = new Map<number, number>();
    let energy = { charged: 0, discharged: 0 };
    const sums: (typeof energy)[] = [];
    part.forEach(({ time, step, soc, power = 0, minutes = step / 60 }, index) => {
      const kilowattHours = (power * minutes) / 60_000;
      energy = {
        charged: energy.charged + Math.max(0, kilowattHours),
        discharged: energy.discharged + Math.max(0, -kilowattHours),
      };
      sums.push(energy);
      if (soc === undefined || soc <= EMPTY || soc >= FULL) return;
      const before = seen.get(soc);
      if (before === undefined) return void seen.set(soc, index);
      const from = (part[before] as Fine).time + (part[before] as Fine).step;
      const to = time + step;
      const { charged, discharged } = sums[before] as typeof energy;
      const put = energy.charged - charged;
      if (put > 0 && to - from >= Math.max(SHORTEST_ROUND, found ? found.to - found.from : 0))
        found = { share: (energy.discharged - discharged) / put, from, to };
    });
  }
  return found;
}
