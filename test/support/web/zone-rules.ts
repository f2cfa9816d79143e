/** What the page computes for each time zone, beside the installed database and the laws that the engine itself knows. */
import { LocalTime } from "../../../src/settings/local-time";
import { footerOf } from "../time-zones";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const YEAR = 365.25 * DAY;
/** After them the calendar repeats. */
const YEARS = 28;

const localTime = (zone: string): LocalTime => new LocalTime({ time: { zone, offset: 1 } });

/** Whether two rules mean the same from `from` on, seconds since 1970. */
function isSame(one: string, other: string, from: number): boolean {
  const [first, second] = [localTime(one), localTime(other)];
  // Without summer time one hour is as any other.
  const step = `${one}${other}`.includes(",") ? HOUR : YEAR;
  for (let time = from; time < from + YEARS * YEAR; time += step)
    if (first.offsetAt(time) !== second.offsetAt(time)) return false;
  return true;
}

/** Names of the zones whose rule is not that of the database. */
export function differing(rules: ReadonlyMap<string, string>, from: number): string[] {
  /** The pair of rules is the same for many. */
  const known = new Map<string, boolean>();
  return [...rules].flatMap(([name, rule]) => {
    const footer = footerOf(name);
    const pair = `${rule} ${footer}`;
    const same = known.get(pair) ?? isSame(rule, footer, from);
    known.set(pair, same);
    return same ? [] : [name];
  });
}

/** Nine years: Gaza and Hebron follow the moon from 2036 on. */
export const TIMES = (from: number): number[] =>
  Array.from({ length: 9 * 365 * 2 }, (_, half) => from + half * 12 * HOUR);

/** What the engine itself says of a zone: hours and minutes beside UTC, "GMT+01:00". Runs in Node and in a browser. */
export function engineOffsets({ name, times }: { name: string; times: readonly number[] }): string[] {
  const format = new Intl.DateTimeFormat("en", { timeZone: name, timeZoneName: "longOffset" });
  return times.map((time) => {
    const offset = format.formatToParts(time * 1_000).find(({ type }) => type === "timeZoneName")?.value;
    return offset === "GMT" ? "GMT+00:00" : `${offset}`;
  });
}

/** The same of a rule. */
export function ruleOffsets(rule: string, times: readonly number[]): string[] {
  const local = localTime(rule);
  return times.map((time) => {
    const offset = local.offsetAt(time);
    const text = new Date(Math.abs(offset) * 1_000).toISOString().slice(11, 16);
    return `GMT${offset < 0 ? "-" : "+"}${text}`;
  });
}
