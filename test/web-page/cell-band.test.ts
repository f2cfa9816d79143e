/** The scale of the cells, close around them, and the one between the protections. */
import { describe, expect, it } from "vitest";
import { bandPart, cellBand, protectedBand } from "../../web/cell-band";
import fc from "../support/property";

describe("the scale close around the cells", () => {
  it.each([
    ["hardly differ", [3.309, 3.318], [3.3, 3.325]],
    ["are equal", [3.312, 3.312], [3.3, 3.325]],
    ["are equal at a round value", [3.31, 3.31], [3.295, 3.32]],
    ["is one", [3.301], [3.29, 3.315]],
    ["differ by what steps of 5 mV hold", [3.301, 3.321], [3.3, 3.325]],
    ["differ by 1 mV more", [3.301, 3.322], [3.3, 3.33]],
    ["differ by what steps of 10 mV hold", [3.301, 3.341], [3.3, 3.35]],
    ["differ by more", [3.301, 3.342], [3.3, 3.36]],
    ["are at a step", [3.3, 3.32], [3.295, 3.32]],
    ["are far apart", [2.5, 3.65], [2, 4]],
    ["are farther apart than the last step holds", [0.9, 3.65], [0, 4]],
    ["have nothing", [0, 0], [0, 0.01]],
  ])("of cells that %s", (_, voltages, ends) => {
    expect(cellBand(voltages)).toEqual({ low: ends[0], high: ends[1] });
    // In whatever order.
    expect(cellBand(voltages.toReversed())).toEqual({ low: ends[0], high: ends[1] });
  });

  it("holds all, none without height, ends at whole 5 mV and is never lower than 20 mV nor far higher than the cells differ", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 100, max: 5_000 }), { minLength: 1, maxLength: 32 }), (millivolts) => {
        const band = cellBand(millivolts.map((one) => one / 1_000));
        const [low, high] = [Math.round(band.low * 1_000), Math.round(band.high * 1_000)];
        const [min, max] = [Math.min(...millivolts), Math.max(...millivolts)];
        expect([low % 5, high % 5]).toEqual([0, 0]);
        expect(low).toBeLessThan(min);
        expect(high).toBeGreaterThanOrEqual(max);
        expect(high - low).toBeGreaterThanOrEqual(20);
        expect(high - low).toBeLessThanOrEqual(Math.max(25, 3 * (max - min)));
      }),
    );
  });
});

describe("the scale of the protections", () => {
  const band = { low: 3.3, high: 3.325 };

  it("goes from one to the other, and to cells beyond them", () => {
    expect(protectedBand(band, 2.6, 3.65)).toEqual({ low: 2.6, high: 3.65 });
    expect(protectedBand(band, 3.3, 3.325)).toEqual(band);
    expect(protectedBand(band, 3.301, 3.324)).toEqual(band);
    expect(protectedBand({ low: 2.5, high: 3.7 }, 2.6, 3.65)).toEqual({ low: 2.5, high: 3.7 });
  });

  it("is not there while they are unknown or contradict each other", () => {
    for (const [under, over] of [[], [undefined, 3.65], [2.6, undefined], [3.65, 3.65], [3.7, 3.65], ["2.6", "3.65"]])
      expect(protectedBand(band, under, over)).toBeUndefined();
  });
});

it("a column is filled between empty and full, the higher the fuller", () => {
  const band = cellBand([3.309, 3.318]);
  expect(bandPart(3.318, band)).toBeGreaterThan(bandPart(3.309, band));
  expect([bandPart(0, band), bandPart(9, band)]).toEqual([0, 1]);
  expect(bandPart(3.3125, band)).toBeCloseTo(0.5);
});
