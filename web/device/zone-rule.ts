/** The rule of a time zone in the form of POSIX's TZ, found in what the browser's own database says of the years ahead. */
import { LocalTime } from "../../src/settings/local-time";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Three weeks: less than summer time lasts anywhere. A power of two of minutes, since it is halved until a change is found. */
const STEP = 2 ** 15 * MINUTE;
/** Twelve years: within eleven, every weekday falls on every day of a month, so that "the fourth" and "the last" differ. */
const STEPS = 193;
/** Changes that agree before they are a rule: days that follow the moon do not in three years. */
const AGREE = 3;
/** Days from the weekday of a rule to its change, which may be at 24:00 or at -1:00: those that exist. */
const DAYS = [0, 1, -1];

/** ms east of UTC at a whole minute, ms since 1970. */
type OffsetAt = (time: number) => number;

function offsetsOf(timeZone: string | undefined): OffsetAt {
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "numeric" },
    ...{ day: "numeric", hour: "numeric", minute: "numeric" },
  });
  return (time) => {
    const [month = 0, day, year = 0, hour, minute] = format.format(time).match(/\d+/g)?.map(Number) ?? [];
    return Date.UTC(year, month - 1, day, hour, minute) - time;
  };
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");
const hoursOf = (ms: number): number => Math.floor(Math.abs(ms) / HOUR);
const minutesOf = (ms: number): number => (Math.abs(ms) % HOUR) / MINUTE;

/** 9,900,000 → "2:45". */
function hours(ms: number): string {
  const minutes = minutesOf(ms);
  return `${ms < 0 ? "-" : ""}${hoursOf(ms)}${minutes ? `:${twoDigits(minutes)}` : ""}`;
}

/** With its name, which is the offset too: "<+0530>-5:30". */
function offsetText(ms: number): string {
  const minutes = minutesOf(ms);
  return `<${ms < 0 ? "-" : "+"}${twoDigits(hoursOf(ms))}${minutes ? twoDigits(minutes) : ""}>${hours(-ms)}`;
}

/** "M3.5.0/1" of the same change in several years, in ms of local time; of those that agree with the first years, for most. */
function changeText(times: readonly number[]): string {
  let best = "";
  let most = AGREE - 1;
  for (const days of DAYS)
    for (const isLast of [false, true]) {
      const [first = "", ...rest] = times.map((time) => {
        const date = new Date(time - days * DAY);
        const month = date.getUTCMonth();
        const isInLast = new Date(time + (7 - days) * DAY).getUTCMonth() !== month;
        const week = isLast ? (isInLast ? 5 : time) : Math.ceil(date.getUTCDate() / 7);
        return `M${month + 1}.${week}.${date.getUTCDay()}/${hours((time % DAY) + days * DAY)}`;
      });
      const other = rest.findIndex((text) => text !== first);
      const count = 1 + (other < 0 ? rest.length : other);
      if (count > most) [best, most] = [first, count];
    }
  return best;
}

function ruleFrom(offsetAt: OffsetAt, now: number): string {
  const start = now - (now % MINUTE);
  const offsets = Array.from({ length: STEPS }, (_, step) => offsetAt(start + step * STEP));
  const changes: Record<"on" | "off", number[]> = { on: [], off: [] };
  for (const [step, offset] of offsets.entries()) {
    const next = offsets[step + 1] ?? offset;
    if (offset === next) continue;
    let before = start + step * STEP;
    for (let half = STEP / 2; half >= MINUTE; half /= 2) if (offsetAt(before + half) === offset) before += half;
    changes[offset < next ? "on" : "off"].push(before + MINUTE + offset);
  }
  const [on, off] = [changeText(changes.on), changeText(changes.off)];
  offsets.sort((one, other) => one - other);
  const [standard = 0, usual = 0, summer = 0] = [0, STEPS >> 1, STEPS - 1].map((place) => offsets[place]);
  return on && off ? `${offsetText(standard)}${offsetText(summer)},${on},${off}` : offsetText(usual);
}

/**
 * "<+00>0<+01>-1,M3.5.0/1,M10.5.0/2", the names being the offsets. Where the changes from `now` on have no rule: the offset of most of the
 * time. Without `timeZone` that of the browser. Throws RangeError if the browser does not know the name.
 */
export const ruleOf = (timeZone?: string, now = Date.now()): string => ruleFrom(offsetsOf(timeZone), now);

/** A zone that the device has, in the same words: equal for equal clocks, whatever names and forms it was written with. */
export function sameRule(zone: string, now = Date.now()): string {
  const local = new LocalTime({ time: { zone, offset: 0 } });
  return ruleFrom((time) => local.offsetAt(time / 1_000) * 1_000, now);
}
