import { describe, expect, it } from "vitest";
import Time from "time";
import Timer from "timer";
import { Clock } from "../../host-sim/clock";
import { poweredBoard } from "../support/system/simulated-board";

describe("Timer", () => {
  it("fires once, at its time, with itself as argument", () => {
    const { clock } = poweredBoard();
    const fired: [number, boolean][] = [];
    const timer = Timer.set((self) => fired.push([clock.now, self === timer]), 30);
    Timer.set(() => fired.push([clock.now, false]));
    clock.runFor(100);
    expect(fired).toEqual([
      [0, false],
      [30, true],
    ]);
  });

  it("repeats without drift, and catches up after a busy script", () => {
    const board = poweredBoard();
    const { clock } = board;
    const fired: number[] = [];
    const timer = Timer.repeat(() => fired.push(clock.now), 10);
    clock.runFor(25);
    board.script.busyFor(30);
    clock.runFor(40);
    expect(fired).toEqual([10, 20, 55, 55, 55, 60]);
    Timer.clear(timer);
    clock.runFor(50);
    expect(fired.length).toBe(6);
  });

  it("accepts a first delay other than the interval", () => {
    const { clock } = poweredBoard();
    const fired: number[] = [];
    Timer.set(() => fired.push(clock.now), 5, 10);
    clock.runFor(30);
    expect(fired).toEqual([5, 15, 25]);
  });

  it("counts whole milliseconds: set within one, it fires that much early", () => {
    const board = poweredBoard();
    const fired: number[] = [];
    board.clock.runFor(0.9);
    Timer.set(() => fired.push(board.clock.now), 30);
    board.clock.runFor(100);
    expect(fired).toEqual([30]);
  });

  it("counts from power-on, at any fraction of a millisecond", () => {
    for (const start of [0.1, 0.2, 0.3, 0.7, 1 / 3, 123_456.789]) {
      const clock = new Clock();
      clock.runUntil(start);
      const board = poweredBoard({ clock });
      let fired = 0;
      Timer.repeat(() => {
        fired++;
        expect(Time.ticks).toBe(fired);
        // Instead of hanging when the clock stands still.
        if (fired > 300) throw new Error("fired too often");
      }, 1);
      clock.runFor(300.5);
      expect(fired).toBe(300);
      board.powerOff();
    }
  });

  it("fires late timers in the order they were made", () => {
    const board = poweredBoard();
    const fired: string[] = [];
    Timer.set(() => fired.push("made first, due 20"), 20);
    Timer.set(() => fired.push("made second, due 10"), 10);
    board.script.busyFor(30);
    board.clock.runFor(50);
    expect(fired).toEqual(["made first, due 20", "made second, due 10"]);
  });

  it("does not fire a timer cleared by another one due at the same moment", () => {
    const { clock } = poweredBoard();
    const fired: string[] = [];
    Timer.set(() => {
      fired.push("first");
      Timer.clear(second);
    }, 10);
    const second = Timer.set(() => fired.push("second"), 10);
    clock.runFor(50);
    expect(fired).toEqual(["first"]);
  });

  it("can be cleared by its own callback", () => {
    const { clock } = poweredBoard();
    let fired = 0;
    Timer.repeat((self) => {
      fired++;
      Timer.clear(self);
    }, 10);
    clock.runFor(50);
    expect(fired).toBe(1);
  });

  it("ignores clearing something that is no longer a timer", () => {
    const { clock } = poweredBoard();
    const timer = Timer.set(() => undefined, 5);
    clock.runFor(10);
    Timer.clear(timer);
    Timer.clear(undefined);
    Timer.clear(null);
  });

  it("can be rescheduled and unscheduled", () => {
    const { clock } = poweredBoard();
    const fired: number[] = [];
    const timer = Timer.repeat(() => fired.push(clock.now), 10);
    clock.runFor(15);
    Timer.schedule(timer, 3, 20);
    clock.runFor(25);
    expect(fired).toEqual([10, 18, 38]);
    Timer.schedule(timer);
    clock.runFor(100);
    expect(fired.length).toBe(3);
    Timer.schedule(timer, 7);
    clock.runFor(100);
    expect(fired).toEqual([10, 18, 38, 147]);
    expect(() => Timer.schedule(timer, 1)).toThrow();
  });

  it("a one-shot timer is gone even if its callback reschedules it, unless with a repeat", () => {
    const { clock } = poweredBoard();
    const fired: string[] = [];
    Timer.set((self) => {
      fired.push("once");
      Timer.schedule(self, 10);
    }, 5);
    Timer.set((self) => {
      fired.push("repeat");
      Timer.schedule(self, 10, 10);
    }, 5);
    clock.runFor(26);
    expect(fired).toEqual(["once", "repeat", "repeat", "repeat"]);
  });

  it("continues when a callback throws", () => {
    const { clock } = poweredBoard();
    let fired = 0;
    Timer.set(() => {
      throw new Error("broken");
    }, 5);
    Timer.set(() => fired++, 5);
    Timer.set(() => fired++, 8);
    expect(() => clock.runFor(20)).toThrow("broken");
    clock.runFor(20);
    expect(fired).toBe(2);
  });

  it("delay blocks the script", () => {
    const { clock } = poweredBoard();
    const fired: number[] = [];
    Timer.set(() => Timer.delay(20), 5);
    Timer.set(() => fired.push(clock.now), 10);
    clock.runFor(50);
    expect(fired).toEqual([25]);
  });
});

describe("Time", () => {
  it("counts whole milliseconds as a signed 32-bit number that wraps", () => {
    const { clock } = poweredBoard({ ticks: 2 ** 31 - 2 });
    expect(Time.ticks).toBe(2 ** 31 - 2);
    clock.runFor(1.9);
    expect(Time.ticks).toBe(2 ** 31 - 1);
    const before = Time.ticks;
    clock.runFor(0.2);
    expect(Time.ticks).toBe(-(2 ** 31));
    expect(Time.delta(before)).toBe(1);
    expect(Time.delta(before, Time.ticks + 5)).toBe(6);
    expect(Time.microseconds).toBeCloseTo(2100, 6);
  });

  it("timers that wait across the wrap fire on time", () => {
    const { clock } = poweredBoard({ ticks: 2 ** 31 - 10 });
    const fired: number[] = [];
    Timer.repeat(() => fired.push(Time.ticks), 8);
    clock.runFor(20);
    expect(fired).toEqual([2 ** 31 - 2, -(2 ** 31) + 6]);
  });
});
