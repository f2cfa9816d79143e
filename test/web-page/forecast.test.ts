/** The forecast of the page, on days that the test makes. */
import { describe, expect, it } from "vitest";
import { forecastOf, MIN_DAYS, MOST_DAYS, type Range } from "../../web/past/forecast";
import { DAY, type Hour } from "../../web/past/records";
import { Random } from "../fuzz/random";

const HOUR = 3_600;
/** A midnight. */
const START = 20_000 * DAY;
const CAPACITY = 280;

const hour = (time: number, current: number | undefined, pack = 1): Hour => ({
  ...{ time, step: HOUR, pack, current, minutes: undefined, soc: undefined, power: undefined },
  ...{ lowest: undefined, spread: undefined },
});

/** So many days before `now` with these amperes by the hour. */
const daysBefore = (now: number, count: number, current: (hour: number, day: number) => number | undefined): Hour[] =>
  Array.from({ length: count * 24 }, (_, at) => {
    const time = Math.floor(now / HOUR) * HOUR - (at + 1) * HOUR;
    return hour(time, current((time / HOUR) % 24, Math.floor(at / 24)));
  });

/** 20 A out at night, 40 A in by day. */
const sunny = (hour: number): number => (hour >= 8 && hour < 18 ? 40 : -20);

describe("a forecast", () => {
  const EVENING = START + 20 * HOUR;

  it.each([
    [MIN_DAYS - 1, false],
    [MIN_DAYS, true],
    [MIN_DAYS + 1, true],
  ])("needs five days: of %i there is one: %s", (days, isThere) =>
    expect(forecastOf(daysBefore(EVENING, days, sunny), 1, EVENING, 80, CAPACITY) !== undefined).toBe(isThere),
  );

  it("counts no day of which an hour is unknown, and no more than the last 14", () => {
    const days = (rows: readonly Hour[]): number | undefined => forecastOf(rows, 1, EVENING, 80, CAPACITY)?.days;
    expect(days(daysBefore(EVENING, 40, sunny))).toBe(MOST_DAYS);
    const holed = daysBefore(EVENING, 8, (hour, day) => (hour === 3 && day === 2 ? undefined : sunny(hour)));
    expect(days(holed)).toBe(7);
  });

  it("tells when it will be empty: of equal days at the hour and minute", () => {
    const now = EVENING + HOUR / 2;
    // 140 Ah at 20 A: seven hours.
    const { empty, least } = forecastOf(daysBefore(now, 10, sunny), 1, now, 50, CAPACITY)!;
    expect(empty).toEqual({ low: now + 7 * HOUR, middle: now + 7 * HOUR, high: now + 7 * HOUR });
    expect(least).toMatchObject({ low: 0, middle: 0, high: 0 });
    // From empty at 8:00, 400 Ah until 18:00: 280 are there after seven hours.
    const { full } = forecastOf(daysBefore(EVENING, 10, sunny), 1, EVENING, 50, CAPACITY)!;
    expect(full?.middle).toBe(START + DAY + 15 * HOUR);
  });

  it("tells the least charge where it does not run empty", () => {
    const { empty, least, band } = forecastOf(daysBefore(EVENING, 10, sunny), 1, EVENING, 90, CAPACITY)!;
    expect(empty).toBeUndefined();
    expect(least.at).toBe(START + DAY + 8 * HOUR);
    expect(least.middle).toBeCloseTo(90 - (100 * 12 * 20) / CAPACITY);
    expect(band).toHaveLength(25);
    expect(band[0]).toEqual({ low: 90, middle: 90, high: 90 });
  });

  it("tells no time that most days do not reach", () => {
    const some = (reaching: number) =>
      forecastOf(
        daysBefore(EVENING, 10, (hour, day) => (day < reaching ? -40 : sunny(hour))),
        1,
        EVENING,
        100,
        CAPACITY,
      )!.empty;
    // The day of yesterday's evening begins in the day before.
    expect(some(4)).toBeUndefined();
    expect(some(7)).toBeDefined();
  });

  it("of several packs takes what all of them bring, and no hour in which one is missing", () => {
    const packs = [1, 2, 3];
    const rows = daysBefore(EVENING, 10, sunny).flatMap((row) => packs.map((pack) => ({ ...row, pack })));
    const alone = forecastOf(daysBefore(EVENING, 10, sunny), 1, EVENING, 80, CAPACITY)!;
    expect(forecastOf(rows, 3, EVENING, 80, 3 * CAPACITY)!.band).toEqual(alone.band);
    for (const silent of packs) {
      const without = rows.filter(({ pack, time }) => pack !== silent || time > EVENING - 4 * DAY);
      expect(forecastOf(without, 3, EVENING, 80, 3 * CAPACITY), `${silent}`).toBeUndefined();
    }
  });
});

describe("60 days of changing weather", () => {
  const random = new Random(7);
  const part = (): number => random.below(1_000) / 1_000;
  /** Amperes by the hour, and the charge that came of them, %. */
  const rows: Hour[] = [];
  const charges: number[] = [60];
  let weather = 0.5;
  for (let day = 0; day < 60; day++) {
    // What comes tomorrow is half like today.
    weather = Math.min(1, Math.max(0.08, 0.5 * weather + 0.5 * part() + 0.05));
    for (let of = 0; of < 24; of++) {
      const sun = of > 6 && of < 18 ? Math.sin(((of - 6) / 12) * Math.PI) * 75 * weather : 0;
      const load = 6 + (of >= 18 && of < 23 ? 14 : 0) + 6 * part();
      const before = charges.at(-1)!;
      // Full and empty it takes and gives no more.
      const after = Math.min(100, Math.max(0, before + (100 * (sun - load)) / CAPACITY));
      charges.push(after);
      rows.push(hour(START + (day * 24 + of) * HOUR, ((after - before) * CAPACITY) / 100));
    }
  }
  /** At 21:00 of each day from the eighth to the last but one. */
  const evenings = Array.from({ length: 51 }, (_, at) => 24 * (at + 8) + 21);
  const looks = evenings.map((at) => {
    const now = START + at * HOUR;
    const known = rows.filter(({ time }) => time + HOUR <= now);
    const forecast = forecastOf(known, 1, now, charges[at]!, CAPACITY)!;
    return { forecast, came: charges.slice(at, at + 25), now };
  });
  const sorted = (values: readonly number[]): number[] => values.toSorted((one, other) => one - other);
  const median = (values: readonly number[]): number => sorted(values)[values.length >> 1]!;

  it("the least charge is met within 3 points on most days, and 10 on the worst", () => {
    const errors = looks.map(({ forecast, came }) => Math.abs(forecast.least.middle - Math.min(...came)));
    console.log(`least charge: median ${median(errors).toFixed(1)}, worst ${Math.max(...errors).toFixed(1)} points`);
    expect(median(errors)).toBeLessThan(3);
    expect(Math.max(...errors)).toBeLessThan(10);
  });

  it("the charge by the hour lies in the band as often as the page says", () => {
    const within = looks.flatMap(({ forecast, came }) =>
      came.slice(1).map((charge, hour) => {
        const { low, high } = forecast.band[hour + 1] as Range;
        return charge >= low - 1 && charge <= high + 1;
      }),
    );
    const share = within.filter(Boolean).length / within.length;
    console.log(`in the band: ${(100 * share).toFixed(0)} %`);
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(0.9);
  });

  it("when it will be full is met within an hour on most days", () => {
    const errors = looks.flatMap(({ forecast: { full }, came, now }) => {
      const at = came.findIndex((charge, hour) => charge >= 100 && (came[hour - 1] ?? 100) < 100);
      return full && at > 0 ? [Math.abs(full.middle - now - at * HOUR) / HOUR] : [];
    });
    console.log(
      `full: ${errors.length} times, median ${median(errors).toFixed(1)} h, worst ${Math.max(...errors).toFixed(1)} h`,
    );
    expect(errors.length).toBeGreaterThan(5);
    expect(median(errors)).toBeLessThan(1.5);
  });
});
