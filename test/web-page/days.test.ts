/** Days by the calendar, their sums, and what comes back of what is charged. */
import { describe, expect, it } from "vitest";
import { dateOf, extremesOf, laterBy, MOST_OF_A_DAY, roundTripOf, sumOf } from "../../web/past/days";
import { DAY, dayRows, fineRows, type Fine } from "../../web/past/records";
import { dayRecord, FINE, fineRecord } from "../support/web/past-data";

const midnight = (year: number, month: number, day: number): number => new Date(year, month - 1, day).getTime() / 1_000;

describe("a date", () => {
  it("is that of the browser's clock, also of an owner's midnight up to half a day off", () => {
    const time = midnight(2026, 11, 26);
    for (const hours of [-11, -1, 0, 1, 11]) expect(dateOf({ time: time + hours * 3_600 })).toBe("2026-11-26");
  });

  it("goes on over the ends of months, years and summer time", () => {
    expect(laterBy(1, "2026-10-24")).toBe("2026-10-25");
    expect(laterBy(1, "2026-10-25")).toBe("2026-10-26");
    expect(laterBy(-1, "2026-03-01")).toBe("2026-02-28");
    expect(laterBy(1, "2027-12-31")).toBe("2028-01-01");
    expect(laterBy(1, "2028-02-28")).toBe("2028-02-29");
  });
});

describe("sums", () => {
  const days = dayRows(
    Buffer.concat([
      dayRecord(midnight(2025, 12, 31), 9_000, 1_000),
      dayRecord(midnight(2026, 1, 1), 1_000, 500),
      dayRecord(midnight(2026, 1, 31), 2_000, undefined),
      dayRecord(midnight(2026, 2, 1), undefined, undefined),
      dayRecord(midnight(2026, 3, 1), 4_000, 3_000),
    ]),
  );

  it.each([
    ["2026", 7, 3.5],
    ["2026-01", 3, 0.5],
    ["2025-12", 9, 1],
    ["2026-02", undefined, undefined],
    ["2024", undefined, undefined],
  ])("of %s", (start, charged, discharged) => expect(sumOf(days, start)).toEqual({ charged, discharged }));

  it("tell the days with the most and the least, of those that are known", () => {
    const { best, worst } = extremesOf(days)!;
    expect([best, worst].map(dateOf)).toEqual(["2025-12-31", "2026-01-01"]);
    expect(extremesOf(days.slice(0, 1))).toBeUndefined();
    expect(extremesOf([])).toBeUndefined();
  });
});

it.each([
  [MOST_OF_A_DAY - 1, "2026-01-02"],
  [MOST_OF_A_DAY, "2026-01-01"],
  [0xff, "2026-01-02"],
])("a day of which %i ten minutes are known, 255: unknown, is the least charged or not", (tenMinutes, date) => {
  const days = dayRows(
    Buffer.concat([
      dayRecord(midnight(2026, 1, 1), 100, 0, 40, tenMinutes),
      dayRecord(midnight(2026, 1, 2), 1_000, 0),
      dayRecord(midnight(2026, 1, 3), 2_000, 0),
      dayRecord(midnight(2026, 1, 4), 9_000, 0, 40, tenMinutes),
    ]),
  );
  const { best, worst } = extremesOf(days)!;
  expect(dateOf(worst)).toBe(date);
  expect(dateOf(best)).toBe(tenMinutes === MOST_OF_A_DAY ? "2026-01-04" : "2026-01-03");
});

describe("the round trip", () => {
  const TIME = 1_800_000_000;
  /** Each day 12 hours in, 12 hours out, from 20 to 80 % and back; of what goes in 90 % comes out. */
  const rows = (
    days: number,
    change: (at: number) => Parameters<typeof fineRecord>[1] | undefined = () => ({}),
  ): Fine[] =>
    fineRows(
      Buffer.concat(
        Array.from({ length: days * 144 }, (_, at) => {
          const part = at % 144;
          const isIn = part < 72;
          const soc = Math.round(isIn ? 20 + (60 * (part + 1)) / 72 : 80 - (60 * (part - 71)) / 72);
          const changed = change(at);
          return changed
            ? fineRecord(TIME + at * FINE, { soc, power: isIn ? 1_000 : -900, ...changed })
            : Buffer.alloc(0);
        }),
      ),
    );

  it("is energy out by energy in", () => {
    const { share, from, to } = roundTripOf(rows(8))!;
    expect(share).toBeCloseTo(0.9, 2);
    expect(to - from).toBeGreaterThan(7 * DAY);
  });

  it("is of two days at least", () => {
    expect(roundTripOf(rows(2))).toBeUndefined();
    expect(roundTripOf(rows(3))).toBeDefined();
    expect(roundTripOf([])).toBeUndefined();
  });

  it("is taken over no gap: neither records that are missing nor minutes without replies", () => {
    const gap = (at: number) => at >= 3 * 144 && at < 3 * 144 + 6;
    for (const found of [
      roundTripOf(rows(8, (at) => (gap(at) ? undefined : {})))!,
      roundTripOf(rows(8, (at) => (gap(at) ? { minutes: 0 } : {})))!,
    ]) {
      expect(found.from).toBeGreaterThanOrEqual(TIME + (3 * 144 + 6) * FINE);
      expect(found.to - found.from).toBeGreaterThan(4 * DAY);
      expect(found.share).toBeCloseTo(0.9, 2);
    }
  });

  it("is not taken between charges at which the BMS no longer counts", () => {
    expect(roundTripOf(rows(8, () => ({ soc: 100 })))).toBeUndefined();
    expect(roundTripOf(rows(8, () => ({ soc: 0 })))).toBeUndefined();
    expect(roundTripOf(rows(8, () => ({ soc: 99 })))).toBeDefined();
  });

  it("is none of which more came out than went in", () => {
    const trip = (power: number) => roundTripOf(rows(8, (at) => (at % 144 < 72 ? { power } : {})));
    expect(trip(890)).toBeUndefined();
    expect(trip(910)!.share).toBeCloseTo(0.99, 2);
  });
});
