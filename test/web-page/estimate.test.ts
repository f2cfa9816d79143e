import { afterEach, describe, expect, it } from "vitest";
import {
  direction,
  estimateOf,
  IDLE_CURRENT,
  LEAST_CHARGES,
  learnTapers,
  MAX_ESTIMATE,
  MOST_CURRENTS,
  MOST_TAPER,
  RECENT,
  recentCurrent,
  sawCurrent,
  secondsLeft,
  shownEnds,
  TAPER,
} from "../../web/estimate.ts";
import { status } from "../support/web/web-mock-data.ts";

const HOUR = 3_600;

it("charging current is positive, and almost none counts as rest", () => {
  expect(direction(IDLE_CURRENT)).toBe("charging");
  expect(direction(-IDLE_CURRENT)).toBe("discharging");
  expect(direction(IDLE_CURRENT - 0.001)).toBe("idle");
  expect(direction(-IDLE_CURRENT + 0.001)).toBe("idle");
});

describe("the time left", () => {
  it("counts down the charge left: one time at one current", () => {
    expect(secondsLeft(-10, 100, 280)).toEqual([10 * HOUR, 10 * HOUR]);
  });

  it("is a range between the present current and the recent one, whichever is higher", () => {
    expect(secondsLeft(-10, 100, 280, -20)).toEqual([5 * HOUR, 10 * HOUR]);
    expect(secondsLeft(-20, 100, 280, -10)).toEqual([5 * HOUR, 10 * HOUR]);
  });

  it("does not mind a recent current of another direction", () => {
    for (const usual of [10, 0, -IDLE_CURRENT / 2])
      expect(secondsLeft(-10, 100, 280, usual)).toEqual([10 * HOUR, 10 * HOUR]);
  });

  it("counts up the charge missing, and widens towards the taper", () => {
    // 180 Ah are missing; the last 28 may take twice as long.
    expect(secondsLeft(10, 100, 280)).toEqual([18 * HOUR, 20.8 * HOUR]);
    const width = (missing: number): number => {
      const [soonest = NaN, latest = NaN] = secondsLeft(10, 280 - missing, 280) ?? [];
      return latest / soonest;
    };
    const missing = [280, 140, 56, 280 * TAPER];
    const widths = missing.map(width);
    expect(widths).toEqual([...widths].sort((one, other) => one - other));
    expect(widths[0]).toBeCloseTo(1.1);
    expect(widths.at(-1)).toBeCloseTo(2);
    expect(width(1)).toBeCloseTo(2);
  });

  it("is undefined when there is no estimate", () => {
    for (const current of [0, IDLE_CURRENT - 0.001, -IDLE_CURRENT + 0.001])
      expect(secondsLeft(current, 100, 280, -10)).toBeUndefined();
    expect(secondsLeft(-10, 0, 280)).toBeUndefined();
    expect(secondsLeft(10, 280, 280)).toBeUndefined();
    expect(secondsLeft(10, 281, 280)).toBeUndefined();
    const { pack } = status();
    for (const unknown of [{ pack: { ...pack, current: null } }, { remainingCapacityAh: null }, { capacityAh: null }])
      expect(estimateOf({ ...status(), ...unknown })).toBeUndefined();
  });

  it("is none beyond a week, at the latest", () => {
    const hours = MAX_ESTIMATE / HOUR;
    expect(secondsLeft(-1, hours, 280)).toEqual([MAX_ESTIMATE, MAX_ESTIMATE]);
    expect(secondsLeft(-1, hours + 0.01, 280)).toBeUndefined();
    expect(secondsLeft(-2, hours, 280, -1)).toEqual([MAX_ESTIMATE / 2, MAX_ESTIMATE]);
    expect(secondsLeft(-2, hours + 0.01, 280, -1)).toBeUndefined();
  });
});

describe("the end of a charge", () => {
  afterEach(() => {
    learnTapers([]);
  });
  /** Of the last 28 Ah at 28 A: h, at the earliest and at the latest. */
  const hours = (found: readonly number[]): number[] => {
    learnTapers(found);
    return (secondsLeft(28, 252, 280) ?? []).map((seconds) => seconds / HOUR);
  };

  it("takes as long as in the last days, once there are enough charges", () => {
    const charges = [1.5, 1.25, 1.75];
    expect(charges).toHaveLength(LEAST_CHARGES);
    expect(hours(charges)).toEqual([1.25, 1.75]);
    expect(hours([...charges, 3])).toEqual([1.25, 3]);
  });

  it("of fewer charges widens what is thought, and never narrows it", () => {
    expect(hours([])).toEqual([1, 2]);
    expect(hours([1.5, 1.5])).toEqual([1, 2]);
    expect(hours([3])).toEqual([1, 3]);
  });

  it("is never shorter than at the rate before, nor longer than is plausible", () => {
    expect(hours([0.5, 0.5, 0.5])).toEqual([1, 1]);
    expect(hours([MOST_TAPER + 1, MOST_TAPER, MOST_TAPER])).toEqual([MOST_TAPER, MOST_TAPER]);
  });
});

describe("the recent current", () => {
  afterEach(() => {
    sawCurrent(null, 0);
  });

  it("is unknown at first, and then the mean", () => {
    expect(recentCurrent()).toBeUndefined();
    sawCurrent(-10, 0);
    sawCurrent(-20, 4_000);
    expect(recentCurrent()).toBe(-15);
    expect(estimateOf({ ...status(), pack: { ...status().pack, current: -20 } })).toEqual([
      (207.2 / 20) * HOUR,
      (207.2 / 15) * HOUR,
    ]);
  });

  it("is that of the last ten minutes", () => {
    sawCurrent(-10, 0);
    sawCurrent(-20, RECENT);
    expect(recentCurrent()).toBe(-15);
    sawCurrent(-20, RECENT + 1);
    expect(recentCurrent()).toBe(-20);
  });

  it("begins anew with another direction, at rest, and when it is unknown", () => {
    for (const other of [10, 0, null]) {
      sawCurrent(-10, 0);
      sawCurrent(other, 1);
      expect(recentCurrent()).toBe(other ?? undefined);
    }
  });

  it("is of so many values at most, whatever the clock does", () => {
    sawCurrent(-1_000, 0);
    for (let count = 1; count < MOST_CURRENTS; count++) sawCurrent(-10, -count);
    expect(recentCurrent()).toBe(-(1_000 + 10 * (MOST_CURRENTS - 1)) / MOST_CURRENTS);
    sawCurrent(-10, -MOST_CURRENTS);
    expect(recentCurrent()).toBe(-10);
  });
});

it.each([
  [[3_600, 3_600], 0, [3_600]],
  [[3_600, 3_999], 0, [3_799.5]],
  [[3_600, 4_000], 0, [3_600, 4_200]],
  [[3_610, 4_510], 0, [3_600, 4_800]],
  [[60, 119], 0, [60, 120]],
  [[59, 119], 0, [0, 120]],
  [[500, 599], 0, [480, 600]],
  [[500, 600], 0, [300, 600]],
  [[6_000, 7_199], 0, [6_000, 7_200]],
  [[6_000, 7_200], 0, [5_400, 7_200]],
  // 12:07 and between one and two hours.
  [[3_600, 7_100], 43_620, [47_100, 51_000]],
] as const)("%j s from %i on is shown as %j", (left, from, shown) => {
  expect(shownEnds(left, from)).toEqual(shown);
});
