/** What the energy counters could not bridge, of the first, a middle and the last pack, over the last day. */
import { describe, expect, it } from "vitest";
import { EnergyGaps } from "../../src/packs/energy-gaps";
import { ENERGY_PERIOD, ENERGY_PERIODS } from "../../src/packs/limits";

const SECOND = 1_000;
const PACKS = 5;
/** One in a hundred of a day. */
const HUNDREDTH = (ENERGY_PERIODS * ENERGY_PERIOD) / 100;

const start = (): { clock: { uptime: number }; gaps: EnergyGaps } => {
  const clock = { uptime: 0 };
  return { clock, gaps: new EnergyGaps(clock, PACKS) };
};

it("a day has 24 hours", () => expect(ENERGY_PERIODS * ENERGY_PERIOD).toBe(86_400));

describe.each([0, 2, PACKS - 1])("pack %i", (index) => {
  const others = Array.from({ length: PACKS }, (_, at) => at).filter((at) => at !== index);

  it("is short from more than 1 % on, of many gaps or of one; no other is", () => {
    const { gaps } = start();
    for (let second = 0; second < HUNDREDTH; second += 6) gaps.note({ index }, 6 * SECOND);
    expect([gaps.shareOf(index), gaps.isShort(index)]).toEqual([10, false]);
    gaps.note({ index }, SECOND);
    expect([gaps.shareOf(index), gaps.isShort(index)]).toEqual([11, true]);
    for (const other of others) expect([gaps.shareOf(other), gaps.isShort(other)]).toEqual([0, false]);
  });

  it("is so for 18 to 24 hours, whenever in its period the gap was", () => {
    for (const at of [0, ENERGY_PERIOD / 2, ENERGY_PERIOD - 1]) {
      const { clock, gaps } = start();
      clock.uptime = 10 * ENERGY_PERIOD + at;
      gaps.note({ index }, 2 * HUNDREDTH * SECOND);
      clock.uptime = 14 * ENERGY_PERIOD - 1;
      expect(gaps.isShort(index)).toBe(true);
      clock.uptime++;
      expect([gaps.shareOf(index), gaps.isShort(index)]).toEqual([0, false]);
    }
  });

  it("gaps of several periods are one sum, of which the oldest goes first", () => {
    const { clock, gaps } = start();
    for (let period = 0; period < ENERGY_PERIODS; period++) {
      clock.uptime = period * ENERGY_PERIOD;
      gaps.note({ index }, (period + 1) * HUNDREDTH * SECOND);
    }
    expect(gaps.shareOf(index)).toBe(100);
    clock.uptime += ENERGY_PERIOD;
    expect(gaps.shareOf(index)).toBe(90);
    clock.uptime += ENERGY_PERIOD;
    expect(gaps.shareOf(index)).toBe(70);
    // However long nobody looks.
    clock.uptime += 100 * ENERGY_PERIOD;
    expect(gaps.shareOf(index)).toBe(0);
  });

  it("is never more than all", () => {
    const { gaps } = start();
    gaps.note({ index }, 2 ** 32 - 1);
    expect(gaps.shareOf(index)).toBe(1_000);
  });

  it("has the same in another place, and no other has it", () => {
    const { clock, gaps } = start();
    clock.uptime = 5 * ENERGY_PERIOD;
    gaps.note({ index }, 2 * HUNDREDTH * SECOND);
    clock.uptime = 6 * ENERGY_PERIOD;
    const after = new EnergyGaps(clock, 2);
    after.take(gaps, [-1, index]);
    expect([after.shareOf(0), after.shareOf(1)]).toEqual([0, 20]);
    clock.uptime = (5 + ENERGY_PERIODS) * ENERGY_PERIOD;
    expect(after.shareOf(1)).toBe(0);
  });
});
