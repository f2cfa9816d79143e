import fc from "../support/property";
import { describe, expect, it } from "vitest";
import { bandPart, cellBand } from "../../web/cell-band.ts";
import { extent, runs, scale, timeTicks } from "../../web/chart-scale.ts";
import { parseHistory } from "../../web/csv.ts";

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

  it("breaks its line where values are missing or time has passed", () => {
    const at = (time: number) => ({ time, value: 1 });
    expect(
      runs([at(-50), at(-40), { time: -30, value: undefined }, at(-20), at(-10)]).map((run) => run.length),
    ).toEqual([2, 2]);
    expect(runs([at(-100), at(-90), at(-80), at(-55), at(-45)]).map((run) => run.length)).toEqual([5]);
    expect(runs([at(-100), at(-90), at(-80), at(-54), at(-44)]).map((run) => run.length)).toEqual([3, 2]);
    expect(runs([])).toEqual([]);
  });

  it("knows its minimum, maximum and last value", () => {
    expect(
      extent([
        { time: -2, value: 5 },
        { time: -1, value: 3 },
        { time: 0, value: undefined },
      ]),
    ).toEqual({
      low: 3,
      high: 5,
      last: 3,
    });
    expect(extent([{ time: 0, value: undefined }])).toBeUndefined();
  });

  it("marks hours back from now", () => {
    expect(timeTicks(-43_200, 4)).toEqual([-43_200, -32_400, -21_600, -10_800, 0]);
    expect(timeTicks(-60, 4)).toEqual([0]);
  });
});

describe("the band of the cells", () => {
  it("goes from one protection to the other, and to a cell beyond them", () => {
    expect(cellBand([3.3, 3.31], 2.6, 3.65)).toEqual({ low: 2.6, high: 3.65, limits: [2.6, 3.65] });
    expect(cellBand([2.5, 3.7], 2.6, 3.65)).toEqual({ low: 2.5, high: 3.7, limits: [2.6, 3.65] });
  });

  it("is around the cells, 20 mV at least, where the protections are unknown or contradict each other", () => {
    for (const limits of [[], [undefined, 3.65], [3.65, 3.65], [3.7, 3.65]] as const) {
      const band = cellBand([3.309, 3.318], ...(limits as [unknown, unknown]));
      expect(band).toEqual({ low: expect.closeTo(3.289, 6) as number, high: expect.closeTo(3.338, 6) as number });
    }
    expect(cellBand([2.9, 3.4], undefined, undefined).low).toBeCloseTo(2.4, 6);
  });

  it("is filled between empty and full, the higher the fuller", () => {
    const band = cellBand([3.309, 3.318], 2.6, 3.65);
    expect(bandPart(3.318, band)).toBeGreaterThan(bandPart(3.309, band));
    expect(bandPart(0, band)).toBe(0);
    expect(bandPart(9, band)).toBe(1);
  });
});
