import { spawnSync } from "node:child_process";
import fc from "../support/property";
import { describe, expect, it, vi } from "vitest";
import { clockTicks, extent, extremesByDay, gapsBetween, runs, scale, type Sample } from "../../web/chart-scale.ts";
import { clockTime, csvOf, parseHistory } from "../../web/csv.ts";

const HEAD = "time_s,soc,power_w,min_cell_v,max_cell_v";

describe("the history as CSV", () => {
  it("is parsed by column name", () => {
    expect(parseHistory("soc,time_s,max_cell_v,min_cell_v,power_w\n74,-60,3.318,3.309,-1240\n")).toEqual([
      { time: -60, soc: 74, power: -1240, minCell: 3.309, maxCell: 3.318 },
    ]);
  });

  it("has no value where nothing was measured, not zero", () => {
    expect(parseHistory(`${HEAD}\n-60,,,,\n-30,0,0,0,0`)).toEqual([
      { time: -60, soc: undefined, power: undefined, minCell: undefined, maxCell: undefined },
      { time: -30, soc: 0, power: 0, minCell: 0, maxCell: 0 },
    ]);
  });

  it("may be truncated or torn", () => {
    expect(parseHistory(`${HEAD}\r\n-60,74,1,3,3\r\n-30,7`)).toHaveLength(1);
    expect(parseHistory(HEAD)).toEqual([]);
    expect(parseHistory(`${HEAD}\nx,1,1,1,1`)).toEqual([]);
  });

  it("is sorted by time", () => {
    expect(parseHistory(`${HEAD}\n0,1,1,1,1\n-60,2,1,1,1`).map(({ time }) => time)).toEqual([-60, 0]);
  });

  it("is rejected when it is another document", () => {
    expect(() => parseHistory("<html>")).toThrow("time_s");
  });
});

describe("a table for a spreadsheet", () => {
  const rows = [
    ["2026-05-07 15:40", [3.3, 3] as const, [undefined, 0] as const, [-12.4, 0] as const],
    ['a "b";c,d', [0, 0] as const, "", "x\ny"],
  ];
  /** As Python reads it; its dialect is that of the language. */
  const read = (text: string, separator: string): unknown => {
    const program = `import csv,io,json,sys; print(json.dumps(list(csv.reader(io.StringIO(sys.stdin.buffer.read().decode("utf-8-sig"), newline=""), delimiter="${separator}", strict=True))))`;
    const { stdout, status } = spawnSync("python3", ["-c", program], { input: text, encoding: "utf8" });
    expect(status).toBe(0);
    return JSON.parse(stdout);
  };

  it("has points in numbers and commas between fields in English, commas and semicolons in Portuguese", () => {
    const heads = ["Time", "V", "°C", "W"];
    const table = (volts: string): string[][] => [
      heads,
      ["2026-05-07 15:40", volts, "", "-12"],
      ['a "b";c,d', "0", "", "x\ny"],
    ];
    expect(read(csvOf(heads, rows, "."), ",")).toEqual(table("3.300"));
    expect(read(csvOf(heads, rows, ","), ";")).toEqual(table("3,300"));
  });

  it("begins with the mark of UTF-8, and lines end as RFC 4180 says", () => {
    expect(csvOf(["Horário", "%"], [["a", [1, 0]]], ",")).toBe("\ufeffHorário;%\r\na;1\r\n");
  });
});

describe("a chart", () => {
  it("has round ticks around all values", () => {
    expect(scale(-1_200, 1_800, 4)).toEqual({
      low: -2_000,
      high: 2_000,
      ticks: [-2_000, -1_000, 0, 1_000, 2_000],
      decimals: 0,
    });
    expect(scale(3.309, 3.318, 4, 0.02)).toMatchObject({ decimals: 3, ticks: [3.3, 3.305, 3.31, 3.315, 3.32, 3.325] });
  });

  it("shows every value with a handful of ticks, for any values", () => {
    const value = fc.double({ min: -1e5, max: 1e5, noNaN: true });
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const axis = scale(low, high, 4, 1);
        // A value beside a tick by rounding alone needs no further tick: far less than can be drawn.
        const slack = 1e-6 * (axis.high - axis.low);
        expect(axis.low).toBeLessThanOrEqual(low + slack);
        expect(axis.high).toBeGreaterThanOrEqual(high - slack);
        expect(axis.ticks.length).toBeGreaterThanOrEqual(2);
        expect(axis.ticks.length).toBeLessThanOrEqual(8);
      }),
    );
  });

  const at = (time: number, step = 10): Sample => ({ time, step, value: 1 });

  it("breaks its line where values are missing or more than two and a half steps have passed", () => {
    const lengths = (samples: readonly Sample[]): number[] => runs(samples).map((run) => run.length);
    expect(lengths([at(0), at(10), { time: 20, step: 10, value: undefined }, at(30), at(40)])).toEqual([2, 2]);
    expect(lengths([at(0), at(10), at(20), at(45), at(55)])).toEqual([5]);
    expect(lengths([at(0), at(10), at(20), at(46), at(56)])).toEqual([3, 2]);
    // Ten minutes from flash, then two from memory.
    expect(lengths([at(0, 600), at(600, 600), at(1_200, 120), at(1_320, 120), at(1_621, 120)])).toEqual([4, 1]);
    expect(runs([])).toEqual([]);
  });

  it("knows where nothing is known, up to now", () => {
    const lines = runs([at(0), at(10), at(60), at(70)]);
    expect(gapsBetween(lines, 95)).toEqual([{ from: 20, to: 60 }]);
    expect(gapsBetween(lines, 96)).toEqual([
      { from: 20, to: 60 },
      { from: 80, to: 96 },
    ]);
    expect(gapsBetween([], 96)).toEqual([]);
  });

  it("knows its minimum, maximum and last value", () => {
    expect(
      extent([
        { time: -2, step: 1, value: 5 },
        { time: -1, step: 1, value: 3 },
        { time: 0, step: 1, value: undefined },
      ]),
    ).toEqual({
      low: 3,
      high: 5,
      last: 3,
    });
    expect(extent([{ time: 0, step: 1, value: undefined }])).toBeUndefined();
  });

  const local = (text: string): number => new Date(text).getTime() / 1_000;
  const texts = (from: string, to: string, count: number): string[] =>
    clockTicks(local(from), local(to), count).map(({ time, unit }) => `${clockTime(time).slice(0, 16)} ${unit}`);

  it.each([
    [
      "Europe/Berlin",
      "2026-10-25T01:00:00Z",
      ["2026-10-25 02:00+02:00", "2026-10-25 02:30+02:00", "2026-10-25 02:00+01:00"],
    ],
    [
      "America/Santiago",
      "2026-04-05T02:00:00Z",
      ["2026-04-04 23:00-03:00", "2026-04-04 23:30-03:00", "2026-04-04 23:00-04:00"],
    ],
    [
      "Asia/Kolkata",
      "2026-01-01T00:00:00Z",
      ["2026-01-01 05:30+05:30", "2026-01-01 06:00+05:30", "2026-01-01 06:30+05:30"],
    ],
    ["UTC", "2026-01-01T00:00:00Z", ["2026-01-01 00:00+00:00", "2026-01-01 00:30+00:00", "2026-01-01 01:00+00:00"]],
  ])("has no two equal times in a table on the day the clock goes back: %s", (zone, from, expected) => {
    vi.stubEnv("TZ", zone);
    // Berlin's clock goes back at 01:00 UTC, Santiago's at 03:00: half an hour before and after.
    const first = Date.parse(from) / 1_000 - (zone === "Europe/Berlin" ? 3_600 : 0);
    const shown = [0, 1_800, 3_600].map((later) => clockTime(first + later));
    expect(shown).toEqual(expected);
    vi.unstubAllEnvs();
  });

  it("marks round times by the clock: hours, midnights, firsts of months", () => {
    expect(texts("2026-05-07T15:40", "2026-05-08T15:40", 4)).toEqual([
      "2026-05-07 18:00 hour",
      "2026-05-08 00:00 hour",
      "2026-05-08 06:00 hour",
      "2026-05-08 12:00 hour",
    ]);
    expect(texts("2026-05-01T15:40", "2026-05-08T15:40", 4)).toEqual([
      "2026-05-03 00:00 day",
      "2026-05-05 00:00 day",
      "2026-05-07 00:00 day",
    ]);
    expect(texts("2025-11-20T00:00", "2026-11-20T00:00", 4)).toEqual([
      "2026-02-01 00:00 month",
      "2026-05-01 00:00 month",
      "2026-08-01 00:00 month",
      "2026-11-01 00:00 month",
    ]);
  });

  it("has a mark more than asked for at most, for any span", () => {
    const span = fc.integer({ min: 3_600, max: 2 * 366 * 86_400 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 31 }),
        span,
        fc.integer({ min: 2, max: 12 }),
        (from, length, count) => {
          const ticks = clockTicks(from, from + length, count).map(({ time }) => time);
          expect(ticks.length).toBeLessThanOrEqual(count + 1);
          expect(ticks).toEqual([...new Set(ticks)].filter((time) => time >= from && time <= from + length));
        },
      ),
    );
  });
});

it("the greatest and the least are of each day by the browser's clock, at its noon; an unknown day has neither", () => {
  const midnight = new Date(2026, 9, 20).getTime() / 1_000;
  const hour = (at: number, value: number | undefined): Sample => ({ time: midnight + at * 3_600, step: 3_600, value });
  const [most, least] = extremesByDay([
    hour(0, 5),
    hour(13, undefined),
    hour(23, -3),
    hour(24, 7),
    hour(48, undefined),
  ]);
  const noons = [12, 36, 60].map((at) => midnight + at * 3_600);
  expect(most).toEqual([5, 7, undefined].map((value, day) => ({ time: noons[day], step: 86_400, value })));
  expect(least).toEqual([-3, 7, undefined].map((value, day) => ({ time: noons[day], step: 86_400, value })));
});
