import fc, { runs } from "../support/property";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { JouleCounter } from "../../src/energy/counter";
import { PackEnergy } from "../../src/energy/energy";
import {
  MAX_GAP_POLLS,
  MAX_JOULES,
  MAX_STORE_INTERVAL,
  MIN_GAP_LIMIT,
  MIN_STORE_INTERVAL,
  STORE_ENERGY,
} from "../../src/energy/limits";
import { countersOf, textOf } from "../../src/energy/stored-counters";
import { poweredBoard } from "../support/system/simulated-board";
import { FaultyStorage } from "../support/fakes/storage";

const WATT = 1_000;
const SECOND = 1_000;

let storage: FaultyStorage;
let interval = SECOND;
const trace = vi.fn();

beforeEach(() => {
  interval = SECOND;
  storage = new FaultyStorage(poweredBoard({ console: trace }));
});
afterEach(() => void trace.mockClear());

const noteStored = vi.fn<(failure: string, stored: boolean) => void>();
const make = (): PackEnergy =>
  new PackEnergy({
    storage,
    settings: { noteStored },
  });
const wait = (time: number): void => storage.board.clock.runFor(time);
const joules = ({ chargedJoules, dischargedJoules }: PackEnergy) => [chargedJoules, dischargedJoules];

/** Replies with `power` watts, one a second. */
function run(energy: PackEnergy, power: number, seconds: number): void {
  for (let second = 0; second < seconds; second++) {
    wait(SECOND);
    energy.update({ cycle: interval, index: 0 }, power * WATT);
  }
}

function restart(ticks?: number): PackEnergy {
  storage.board.powerOff();
  if (ticks !== undefined) Object.assign(storage.board.options, { ticks });
  storage.board.powerOn();
  return make();
}

describe("what it could not bridge", () => {
  const after = (energy: PackEnergy, index: number, ms: number): number => {
    wait(ms);
    return energy.update({ cycle: SECOND, index }, 100 * WATT);
  };
  const limit = MIN_GAP_LIMIT;

  it.each([0, 3, 14])("of pack %i: nothing before its first reply, nor up to the limit; then all of it", (index) => {
    const energy = make();
    expect(after(energy, index, 90_000)).toBe(0);
    expect(after(energy, index, SECOND)).toBe(0);
    expect(after(energy, index, limit)).toBe(0);
    expect(after(energy, index, limit + 1)).toBe(limit + 1);
    expect(after(energy, index, SECOND)).toBe(0);
    // While it is offline, however short.
    wait(2 * SECOND);
    energy.interrupt(index);
    expect(after(energy, index, 2 * SECOND)).toBe(4 * SECOND);
    expect(energy.update({ cycle: SECOND, index }, 0)).toBe(0);
    // A reply of another pack ends no gap.
    wait(limit);
    energy.update({ cycle: SECOND, index: index + 1 }, 0);
    expect(after(energy, index, SECOND)).toBe(limit + SECOND);
  });

  it("of a pack that was at this place before: nothing", () => {
    const energy = make();
    for (const index of [0, 1, 2]) after(energy, index, SECOND);
    energy.forget();
    wait(100 * limit);
    for (const index of [0, 1, 2]) expect(after(energy, index, 0)).toBe(0);
  });

  it("nothing before a restart", () => {
    run(make(), 100, 3);
    expect(after(restart(), 0, 100 * limit)).toBe(0);
  });
});

describe("several packs", () => {
  it("are integrated each for itself: one that falls silent takes nothing from the others", () => {
    const energy = make();
    for (let second = 0; second < 3; second++) {
      wait(SECOND);
      energy.update({ cycle: SECOND, index: 0 }, 2000 * WATT);
      energy.update({ cycle: SECOND, index: 1 }, -500 * WATT);
    }
    expect(joules(energy)).toEqual([4000, 1000]);
    energy.interrupt(1);
    // A pack that has never answered.
    energy.interrupt(9);
    wait(SECOND);
    energy.update({ cycle: SECOND, index: 0 }, 2000 * WATT);
    expect(joules(energy)).toEqual([6000, 1000]);
    // What it did meanwhile is unknown.
    energy.update({ cycle: SECOND, index: 1 }, -500 * WATT);
    expect(joules(energy)).toEqual([6000, 1000]);
    wait(SECOND);
    energy.update({ cycle: SECOND, index: 1 }, -500 * WATT);
    expect(joules(energy)).toEqual([6000, 1500]);
  });

  it("have one record for all of them", () => {
    const energy = make();
    for (let second = 0; second < 2; second++) {
      for (let index = 0; index < 15; index++) energy.update({ cycle: SECOND, index: index }, 100 * WATT);
      wait(SECOND);
    }
    const written = vi.spyOn(storage.board.storage, "write");
    energy.store();
    expect(written).toHaveBeenCalledTimes(1);
    expect(restart().stored).toEqual({ charged: 1500, discharged: 0 });
  });

  it.each([
    ["of the usual 5 s", MIN_GAP_LIMIT, SECOND],
    ["of three cycles, where these are slow", MAX_GAP_POLLS * 4_000, 4_000],
  ])("count through a gap %s, of a further pack too", (_, gap, cycle) => {
    for (const [time, expected] of [
      [gap - 1, Math.floor((gap - 1) / 1000) * 1],
      [gap, gap / 1000],
      [gap + 1, 0],
    ] as const) {
      const energy = make();
      const before = energy.chargedJoules;
      energy.update({ cycle: cycle, index: 3 }, WATT);
      wait(time);
      energy.update({ cycle: cycle, index: 3 }, WATT);
      expect(energy.chargedJoules - before).toBe(expected);
    }
  });
});

describe("integration", () => {
  it("starts with the first interval between two replies", () => {
    const energy = make();
    energy.update({ cycle: interval, index: 0 }, 5000 * WATT);
    expect(joules(energy)).toEqual([0, 0]);
    run(energy, 5000, 1);
    expect(joules(energy)).toEqual([5000, 0]);
  });

  it("uses the trapezoidal rule, separately for each direction", () => {
    const energy = make();
    energy.update({ cycle: interval, index: 0 }, 1000 * WATT);
    run(energy, 3000, 1);
    expect(joules(energy)).toEqual([2000, 0]);
    run(energy, -1000, 1);
    expect(joules(energy)).toEqual([3500, 500]);
    run(energy, -2000, 1);
    expect(joules(energy)).toEqual([3500, 2000]);
    run(energy, 1000, 1);
    expect(joules(energy)).toEqual([4000, 3000]);
    run(energy, 0, 1);
    expect(joules(energy)).toEqual([4500, 3000]);
    run(energy, -1000, 1);
    expect(joules(energy)).toEqual([4500, 3500]);
  });

  it.each([
    [SECOND, MIN_GAP_LIMIT],
    [10 * SECOND, MAX_GAP_POLLS * 10 * SECOND],
  ])("polled every %i ms it bridges gaps up to %i ms and ignores longer ones", (poll, limit) => {
    interval = poll;
    const energy = make();
    energy.update({ cycle: interval, index: 0 }, 1000 * WATT);
    wait(limit);
    energy.update({ cycle: interval, index: 0 }, 1000 * WATT);
    expect(energy.chargedJoules).toBe(limit);
    wait(limit + 1);
    energy.update({ cycle: interval, index: 0 }, 1000 * WATT);
    expect(energy.chargedJoules).toBe(limit);
    wait(SECOND);
    energy.update({ cycle: interval, index: 0 }, 1000 * WATT);
    expect(energy.chargedJoules).toBe(limit + SECOND);
  });

  it("does not bridge the time while the BMS was offline", () => {
    const energy = make();
    energy.update({ cycle: interval, index: 0 }, 1000 * WATT);
    energy.interrupt(0);
    run(energy, 1000, 1);
    expect(joules(energy)).toEqual([0, 0]);
  });

  it("continues across the tick wrap", () => {
    const energy = restart(0x7fffffff - 1500);
    energy.update({ cycle: interval, index: 0 }, 1000 * WATT);
    run(energy, 1000, 4);
    expect(joules(energy)).toEqual([4000, 0]);
  });

  it("keeps fractions of a joule at any step size", () => {
    const steps = fc.array(fc.tuple(fc.nat(30_000_000), fc.nat(30_000_000), fc.nat(180_000)), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (given) => {
        const counter = new JouleCounter();
        let exact = 0n;
        for (const [from, to, time] of given) {
          counter.add(from, to, time);
          exact += BigInt(from + to) * BigInt(time);
        }
        expect(BigInt(counter.joules)).toBe(exact / 2_000_000n);
      }),
    );
  });

  it("counts a milliwatt over a day", () => {
    const counter = new JouleCounter();
    for (let second = 0; second < 86_400; second++) counter.add(1, 1, SECOND);
    expect(counter.joules).toBe(86);
  });
});

describe("the stored counters", () => {
  it("continue after an ordered restart", () => {
    const energy = make();
    run(energy, 1000, 11);
    run(energy, -500, 10);
    const before = joules(energy);
    energy.store();
    expect(joules(restart())).toEqual(before);
  });

  it("are written once per MAX_STORE_INTERVAL at low power, and not at all at zero", () => {
    const energy = make();
    run(energy, 0, (2 * MAX_STORE_INTERVAL) / SECOND);
    energy.store();
    expect(storage.writes).toBe(0);
    const before = storage.board.clock.now;
    while (!storage.writes) run(energy, 100, 1);
    expect(storage.board.clock.now - before).toBeLessThanOrEqual(MAX_STORE_INTERVAL);
    run(energy, 100, MAX_STORE_INTERVAL / SECOND - 1);
    expect(storage.writes).toBe(1);
    run(energy, 100, 1);
    expect(storage.writes).toBe(2);
  });

  it("are written after STORE_ENERGY, and at most once per MIN_STORE_INTERVAL", () => {
    const energy = make();
    energy.update({ cycle: interval, index: 0 }, 1800 * WATT);
    run(energy, 1800, STORE_ENERGY / 1800 - 1);
    expect(storage.writes).toBe(0);
    run(energy, 1800, 1);
    expect(storage.writes).toBe(1);
    run(energy, 100_000, MIN_STORE_INTERVAL / SECOND - 1);
    expect(storage.writes).toBe(1);
    run(energy, 100_000, 1);
    expect(storage.writes).toBe(2);
  });

  it.each([1000, 5000, 20_000])("a power cut at any time at %i W loses no more than limits.ts states", (power) => {
    const energy = make();
    energy.update({ cycle: interval, index: 0 }, power * WATT);
    const most = Math.max(STORE_ENERGY, (power * MIN_STORE_INTERVAL) / SECOND) + power;
    for (let second = 0; second < 2000; second++) {
      run(energy, power, 1);
      const stored = countersOf(storage.get("state", "energy"))?.charged ?? 0;
      expect(energy.chargedJoules - stored).toBeLessThanOrEqual(most);
    }
  });

  it("only stored energy is published: it never falls, whenever the power is cut", () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: -9000, max: 9000 }), fc.integer({ min: 1, max: 400 })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(steps, (given) => {
        storage = new FaultyStorage(poweredBoard());
        let energy = make();
        let last;
        for (const [power, seconds] of given) {
          run(energy, power, seconds);
          last = energy.stored!;
          energy = restart();
          expect(energy.stored?.charged).toBeGreaterThanOrEqual(last.charged);
          expect(energy.stored?.discharged).toBeGreaterThanOrEqual(last.discharged);
        }
      }),
      { numRuns: runs(30) },
    );
  });

  it.each([
    ["no text", 17],
    ["empty", ""],
    ["another text", "1"],
    ["two numbers", "1 2"],
    ["two zeros", "0 0"],
    ["what stands before the digits, where the sum is right", "/ 1 0"],
    ["four numbers", "1 2 3 4"],
    ["a changed digit", "100 200 301"],
    ["a sign", "-1 2 1"],
    ["a fraction", "1.5 2 3.5"],
    ["two blanks", "1  2 3"],
    ["a blank at the end", "1 2 3 "],
    ["too much", textOf(MAX_JOULES + 1, 0)],
    ["too much out", textOf(0, MAX_JOULES + 1)],
    ["too long", `${"0".repeat(60)}1 2 3`],
    ["NaN", "NaN 0 NaN"],
  ])("%s: reported, and counting starts from 0", (_name, text) => {
    storage.put("state", "energy", text);
    const energy = make();
    expect(joules(energy)).toEqual([0, 0]);
    expect(trace.mock.calls.join("")).toContain("corrupt");
    run(energy, 1000, 2);
    energy.store();
    expect(storage.get("state", "energy")).toBe("1000 0 1000");
  });

  it("that were never stored are not called corrupt", () => {
    make();
    expect(trace).not.toHaveBeenCalled();
  });

  it("are written after STORE_ENERGY of discharge, too, each time anew", () => {
    const energy = make();
    energy.update({ cycle: interval, index: 0 }, -1800 * WATT);
    for (const writes of [1, 2, 3]) {
      run(energy, -1800, STORE_ENERGY / 1800 - 1);
      expect(storage.writes).toBe(writes - 1);
      run(energy, -1800, 1);
      expect(storage.writes).toBe(writes);
    }
  });

  it("are written, and nothing is counted, after more than half the range of the ticks", () => {
    const energy = make();
    run(energy, 1000, 5);
    expect(storage.writes).toBe(0);
    wait(2 ** 31 + SECOND);
    energy.update({ cycle: interval, index: 0 }, 1000 * WATT);
    expect([joules(energy), storage.writes]).toEqual([[4000, 0], 1]);
  });

  it("are accepted up to MAX_JOULES", () => {
    expect(countersOf(textOf(MAX_JOULES, MAX_JOULES))).toEqual({ charged: MAX_JOULES, discharged: MAX_JOULES });
  });

  it("that cannot be read are not overwritten, and are added as soon as they can be read", () => {
    storage.put("state", "energy", textOf(7000, 9000));
    storage.failsToRead = ["energy"];
    const energy = make();
    run(energy, 1000, 2);
    energy.store();
    expect(storage.writes).toBe(0);
    expect(joules(energy)).toEqual([1000, 0]);
    expect(energy.stored).toBeUndefined();
    expect(trace.mock.calls.join("")).toContain("cannot read the stored counters");
    storage.failsToRead = [];
    energy.store();
    expect(joules(energy)).toEqual([8000, 9000]);
    expect(energy.stored).toEqual({ charged: 8000, discharged: 9000 });
    expect(storage.get("state", "energy")).toBe("8000 9000 17000");
  });

  it("that could not be read at the start are read and added while energy flows, without an order", () => {
    storage.put("state", "energy", textOf(7000, 9000));
    storage.failsToRead = ["energy"];
    const energy = make();
    storage.failsToRead = [];
    // The first reply begins the first interval.
    run(energy, 1000, STORE_ENERGY / 1000 + 1);
    expect(energy.stored).toEqual({ charged: 7000 + STORE_ENERGY, discharged: 9000 });
  });

  it("that cannot be written are retried while counting continues", () => {
    storage.writesLeft = 0;
    const energy = make();
    run(energy, 2000, MAX_STORE_INTERVAL / SECOND);
    const before = energy.chargedJoules;
    expect(before).toBeGreaterThan(0);
    expect(storage.writes).toBe(0);
    expect(noteStored).toHaveBeenLastCalledWith("unwritable-energy", false);
    expect(trace.mock.calls.join("")).toContain("cannot store the counters");
    // What a restart would not find again is not published.
    expect(energy.stored).toEqual({ charged: 0, discharged: 0 });
    storage.writesLeft = 10;
    run(energy, 2000, MAX_STORE_INTERVAL / SECOND);
    expect(storage.writes).toBeGreaterThan(0);
    expect(noteStored).toHaveBeenLastCalledWith("unwritable-energy", true);
  });

  it("work without storage", () => {
    storage.failsToOpen = true;
    const energy = make();
    run(energy, 1000, 2);
    energy.store();
    expect(joules(energy)).toEqual([1000, 0]);
  });
});
