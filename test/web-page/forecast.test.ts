/** The forecast of the page, on days that the test makes. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DRAWN, EMPTY, forecastOf, FULL, IDLE, MIN_DAYS, MOST_DAYS, type Range } from "../../web/past/forecast";
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
    expect(band).toHaveLength(DRAWN + 1);
    expect(band[0]).toEqual({ low: 90, middle: 90, high: 90 });
  });

  it("draws each day once more behind the next 24 hours, of which alone it tells", () => {
    // 40 Ah less a day: what comes on the second day is no end of the first.
    const falling = (of: number): number => (of >= 8 && of < 18 ? 20 : -120 / 7);
    const { band, least, empty } = forecastOf(daysBefore(EVENING, 10, falling), 1, EVENING, 80, 4 * CAPACITY)!;
    const fall = (hours: number): number => (band[hours] as Range).middle - (band[hours - 1] as Range).middle;
    for (const hour of [1, 10, 19]) expect(fall(hour + 24)).toBeCloseTo(fall(hour));
    expect((band[36] as Range).middle).toBeLessThan(least.middle);
    expect(empty).toBeUndefined();
  });

  it("tells the greatest charge where it does not become full", () => {
    // 240 Ah out until 8:00, then 100 Ah in until 18:00, 40 Ah out.
    const weak = (of: number): number => (of >= 8 && of < 18 ? 10 : -20);
    const { full, most } = forecastOf(daysBefore(EVENING, 10, weak), 1, EVENING, 95, 4 * CAPACITY)!;
    expect(full).toBeUndefined();
    expect([most.at, most.middle]).toEqual([EVENING, 95]);
    const morning = START + 8 * HOUR;
    const rising = forecastOf(daysBefore(morning, 10, weak), 1, morning, 30, CAPACITY)!.most;
    expect(rising.at).toBe(morning + 10 * HOUR);
    expect(rising.middle).toBeCloseTo(30 + 10_000 / CAPACITY);
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

describe("hours of a full or empty battery say only that no more flowed", () => {
  const EVENING = START + 20 * HOUR;
  /** What flows in as long as there is room, A, with the charge that comes of it: from half full, so many days until `now`. */
  const lived = (days: number, now: number, surplus: (hour: number, day: number) => number, from = 50): Hour[] => {
    let charge = from;
    return Array.from({ length: days * 24 }, (_, at) => {
      const time = now - (days * 24 - at) * HOUR;
      const before = charge;
      const wanted = surplus((time / HOUR) % 24, Math.floor(at / 24));
      charge = Math.min(100, Math.max(0, before + (100 * wanted) / CAPACITY));
      return { ...hour(time, ((charge - before) * CAPACITY) / 100), soc: Math.round(charge) };
    });
  };
  /** 60 A of sun from 8 to 16 h, a load of 10 A: full at 11:12, 86 % at 20:00. */
  const everyDay = (hour: number): number => (hour >= 8 && hour < 16 ? 60 : 0) - 10;

  it.each([
    ["as on each of them", 86],
    ["after a heavy evening", 60],
    ["after a heavier one", 40],
  ])("days that all were full by noon fill it again: %s", (_, soc) => {
    const rows = lived(12, EVENING, everyDay);
    const { band, full } = forecastOf(rows, 1, EVENING, soc, CAPACITY)!;
    expect(band[20]!.middle).toBeGreaterThan(99);
    expect(full?.middle).toBeGreaterThan(START + DAY + 10 * HOUR);
    expect(full?.middle).toBeLessThan(START + DAY + 16 * HOUR);
    // In the evening it is used again.
    expect(band[24]!.middle).toBeLessThan(90);
  });

  it("the other days tell what would have flowed in that hour", () => {
    // On three of twelve days the night takes so much that it is not full by 16 h.
    const rows = lived(12, EVENING, (of, day) => {
      if (of >= 12 && of < 16) return 30;
      return day % 4 === 1 && of < 5 ? -40 : everyDay(of);
    });
    const { band } = forecastOf(rows, 1, EVENING, 60, CAPACITY)!;
    // 120 Ah out until 8 h, 200 Ah in until 12 h, then 30 A.
    expect(band[16]!.middle).toBeCloseTo(60 - 100 * (120 / CAPACITY) + 100 * (200 / CAPACITY), 0);
    expect(band[17]!.middle - band[16]!.middle).toBeCloseTo((100 * 30) / CAPACITY, 0);
  });

  it("an empty one would have given more, at the hours in which it did on other days", () => {
    // 30 A from 18 h on: empty by 0 h, and 20 A in by day.
    const rows = lived(12, EVENING, (of) => (of >= 8 && of < 18 ? 20 : -30));
    const { empty, band } = forecastOf(rows, 1, EVENING, 95, CAPACITY)!;
    // 266 Ah.
    expect(empty!.middle).toBeCloseTo(EVENING + (266 / 30) * HOUR, -2);
    expect(band[4]!.middle).toBeCloseTo(95 - (100 * 120) / CAPACITY, 0);
  });

  const REST = IDLE * CAPACITY;
  it.each([
    [FULL - 1, 0, false],
    [FULL, 0, true],
    [100, 0, true],
    [100, 0.01 - REST, true],
    [100, -REST, false],
    [EMPTY + 1, 0, false],
    [EMPTY, 0, true],
    [0, 0, true],
    [0, REST - 0.01, true],
    [0, REST, false],
  ])("at %d % and %d A it is full or empty: %s", (soc, flow, isEnd) => {
    // Of the hours by day but for one day, on which more flowed.
    const more = soc > 50 ? 60 : -60;
    const rows = daysBefore(EVENING, 10, (of, day) => (of < 8 || of >= 16 ? 0 : day === 4 ? more : flow))
      .map((row) => ({ ...row, soc: row.current === flow ? soc : 50 }))
      .toReversed();
    const { band } = forecastOf(rows, 1, EVENING, 50, CAPACITY)!;
    expect(Math.abs(band[20]!.middle - 50) > 45).toBe(isEnd);
  });

  it("of a bank only if all packs together are", () => {
    for (const full of [1, 2, 3]) {
      const rows = daysBefore(EVENING, 10, (of, day) => (of < 8 || of >= 16 ? -15 : day === 4 ? 60 : 0)).toReversed();
      const each = (isAll: boolean) =>
        rows.flatMap((row) =>
          [1, 2, 3].map((pack) => ({
            ...{ ...row, pack, current: row.current! / 3 },
            soc: row.current === 0 && (isAll || pack === full) ? 100 : 60,
          })),
        );
      const at = (isAll: boolean) => forecastOf(each(isAll), 3, EVENING, 70, 3 * CAPACITY)!.band[20]!.middle;
      expect(at(true) - at(false)).toBeGreaterThan(30);
    }
  });
});

/** 60 days of changing weather with a battery of so many Ah: the hours, and what came of them. */
function weather(seed: number, capacity: number) {
  const random = new Random(seed);
  const part = (): number => random.below(1_000) / 1_000;
  const rows: Hour[] = [];
  const charges: number[] = [60];
  /** When it became full, or empty. */
  const ends = { full: [] as number[], empty: [] as number[] };
  let sky = 0.5;
  for (let at = 0; at < 60 * 24; at++) {
    const of = at % 24;
    // What comes tomorrow is half like today.
    if (!of) sky = Math.min(1, Math.max(0.08, 0.5 * sky + 0.5 * part() + 0.05));
    const sun = of > 6 && of < 18 ? Math.sin(((of - 6) / 12) * Math.PI) * 75 * sky : 0;
    const load = 6 + (of >= 18 && of < 23 ? 14 : 0) + 6 * part();
    const before = charges.at(-1)!;
    const wanted = (100 * (sun - load)) / capacity;
    // Full and empty it takes and gives no more.
    const after = Math.min(100, Math.max(0, before + wanted));
    if (after === 100 && before < 100) ends.full.push(START + (at + (100 - before) / wanted) * HOUR);
    if (after === 0 && before > 0) ends.empty.push(START + (at - before / wanted) * HOUR);
    charges.push(after);
    rows.push({ ...hour(START + at * HOUR, ((after - before) * capacity) / 100), soc: Math.round(after) });
  }
  return { rows, charges, ends };
}

describe("60 days of changing weather", () => {
  const SEEDS = [7, 8, 9, 10];
  /** Of a battery that is full on most days, and of one that is empty on many; in the morning and in the evening. */
  const CAPACITIES = [CAPACITY, 190];
  const CLOCK = [7, 21];
  /** From the eighth day to the last but one. */
  const looks = SEEDS.flatMap((seed) =>
    CAPACITIES.flatMap((capacity) => {
      const { rows, charges, ends } = weather(seed, capacity);
      return CLOCK.flatMap((clock) =>
        Array.from({ length: 51 }, (_, day) => {
          const at = 24 * (day + 8) + clock;
          const now = START + at * HOUR;
          const forecast = forecastOf(rows.slice(0, at), 1, now, charges[at]!, capacity)!;
          const came = (end: "full" | "empty") => ends[end].find((time) => time > now && time <= now + DAY);
          return { forecast, charges: charges.slice(at, at + 25), full: came("full"), empty: came("empty") };
        }),
      );
    }),
  );
  /** Median, of nine in ten, and the worst. */
  const errorsOf = (errors: readonly number[]): readonly string[] => {
    const sorted = errors.toSorted((one, other) => one - other);
    return [0.5, 0.9, 1].map((part) => sorted[Math.ceil(part * sorted.length) - 1]!.toFixed(1));
  };
  const timesOf = (end: "full" | "empty") => {
    const told = looks.filter(({ forecast }) => forecast[end]);
    const both = told.filter(({ [end]: came }) => came !== undefined);
    return {
      errors: errorsOf(both.map(({ forecast, [end]: came }) => Math.abs(forecast[end]!.middle - came!) / HOUR)),
      told: told.length,
      both: both.length,
      came: looks.filter(({ [end]: came }) => came !== undefined).length,
    };
  };
  const least = errorsOf(looks.map(({ forecast, charges }) => Math.abs(forecast.least.middle - Math.min(...charges))));
  const within = looks.flatMap(({ forecast, charges }) =>
    charges.slice(1).map((charge, hour) => {
      const { low, high } = forecast.band[hour + 1] as Range;
      return charge >= low - 1 && charge <= high + 1;
    }),
  );
  const share = Math.round((100 * within.filter(Boolean).length) / within.length);
  const [empty, full] = [timesOf("empty"), timesOf("full")];
  const rowOf = (name: string, errors: readonly string[], rest: readonly unknown[]) =>
    new RegExp(`^\\| ${[name, ...errors, ...rest].join(" +\\| +")} +\\|$`, "m");

  it("is met as often, and missed by as much, as docs/web.md says", () => {
    const said = readFileSync("docs/web.md", "utf8");
    expect(said).toMatch(rowOf("lowest charge, points", least, ["–", "–", "–"]));
    expect(said).toMatch(rowOf("empty, h", empty.errors, [empty.came, empty.told, empty.both]));
    expect(said).toMatch(rowOf("full, h", full.errors, [full.came, full.told, full.both]));
    expect(said).toContain(`Of all hours, ${share} % were within the band.`);
    expect(said).toContain(`${looks.length} forecasts`);
  });

  it("the figures are worth a forecast", () => {
    expect(Number(least[0])).toBeLessThan(1);
    expect(Number(least[1])).toBeLessThan(5);
    for (const { errors, came, told, both } of [empty, full]) {
      expect(came).toBeGreaterThan(100);
      expect(Number(errors[0])).toBeLessThan(1.5);
      expect(Number(errors[1])).toBeLessThan(2);
      // What is told comes on most days.
      expect(both / told).toBeGreaterThan(0.7);
    }
    expect(share).toBeGreaterThan(50);
    expect(share).toBeLessThan(90);
  });
});
