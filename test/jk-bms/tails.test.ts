/** When the end of the telemetry is read, of packs that share a bus. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "../../host-sim/clock";
import { TAIL_INTERVAL } from "../../modules/jk-bms/limits";
import { Tails } from "../../modules/jk-bms/tails";
import { lineBoard } from "../support/bms/line";

let clock: Clock;
beforeEach(() => ({ clock } = lineBoard()));

/** Polls these packs one after the other. @returns those whose end is due */
const round = (tails: Tails, places: readonly number[], isMissing = false): number[] =>
  places.filter((place) => tails.isDue(place, isMissing));

it("of one pack it is due an interval after it was asked for, and at once where it is missing", () => {
  const tails = new Tails();
  expect([tails.isDue(0, true), tails.isDue(0, false), tails.isDue(0, true)]).toEqual([true, false, true]);
  clock.runFor(TAIL_INTERVAL - 1);
  expect(tails.isDue(0, false)).toBe(false);
  clock.runFor(1);
  expect([tails.isDue(0, false), tails.isDue(0, false)]).toEqual([true, false]);
});

it("has an age since it was read, whenever it was asked for", () => {
  const tails = new Tails(2);
  clock.runFor(5);
  tails.read(1);
  clock.runFor(7);
  tails.read(0);
  clock.runFor(TAIL_INTERVAL);
  expect(tails.isDue(1, true)).toBe(true);
  expect([tails.ageOf(0), tails.ageOf(1)]).toEqual([TAIL_INTERVAL, TAIL_INTERVAL + 7]);
});

describe.each([2, 3, 15])("of %i packs", (count) => {
  const all = Array.from({ length: count }, (_, place) => place);
  let tails: Tails;
  beforeEach(() => {
    tails = new Tails(count);
    expect(round(tails, all, true)).toEqual(all);
    clock.runFor(TAIL_INTERVAL);
  });

  it("one's is due in each round, in turn", () => {
    expect(round(tails, all)).toEqual([0]);
    for (const place of all.slice(1)) expect(round(tails, all)).toEqual([place]);
    expect(round(tails, all)).toEqual([]);
    clock.runFor(TAIL_INTERVAL);
    for (const place of all) expect(round(tails, all)).toEqual([place]);
  });

  it.each([0, count >> 1, count - 1])(
    "that of number %i, which did not answer in its turn, is due as soon as it does",
    (silent) => {
      const others = all.filter((place) => place !== silent);
      for (const place of all.slice(0, silent)) expect(round(tails, all)).toEqual([place]);
      expect(round(tails, others)).toEqual([]);
      // The others go on.
      if (silent < count - 1) expect(round(tails, others)).toEqual([silent + 1]);
      // It is found to have waited longest.
      round(tails, all);
      expect(round(tails, all)).toEqual([silent]);
    },
  );
});

it("is due of a pack that was away for longer than a tick count is positive", () => {
  const tails = new Tails(2);
  round(tails, [0, 1], true);
  clock.runFor(2 ** 31 + 1_000);
  expect(round(tails, [0, 1]).length + round(tails, [0, 1]).length).toBe(2);
  expect(tails.ageOf(1)).toBeGreaterThan(2 ** 31);
});
