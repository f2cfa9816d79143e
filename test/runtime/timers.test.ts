import Timer from "timer";
import { expect, it } from "vitest";
import { once, repeat } from "../../src/runtime/timers";
import { poweredBoard } from "../support/system/simulated-board";

class Counter {
  ticks = 0;
  tick(): void {
    this.ticks++;
  }
}

it("repeat calls each target at its own interval until its timer is cleared", () => {
  const { clock } = poweredBoard();
  const quick = new Counter();
  const slow = new Counter();
  const timer = repeat(quick, 100);
  repeat(slow, 250);
  clock.runFor(500);
  expect([quick.ticks, slow.ticks]).toEqual([5, 2]);
  Timer.clear(timer);
  clock.runFor(500);
  expect([quick.ticks, slow.ticks]).toEqual([5, 4]);
});

it("once calls its target a single time, and not at all when it is cleared", () => {
  const { clock } = poweredBoard();
  const told = new Counter();
  const untold = new Counter();
  once(told, 100);
  Timer.clear(once(untold, 100));
  clock.runFor(99);
  expect(told.ticks).toBe(0);
  clock.runFor(500);
  expect([told.ticks, untold.ticks]).toEqual([1, 0]);
});
