import Timer from "timer";
import { expect, it } from "vitest";
import { beatEvery } from "../../src/parts/beat";
import { poweredBoard } from "../support/simulated-board";

it("has each target beat at its own interval until its timer is cleared", () => {
  const { clock } = poweredBoard();
  class Counter {
    beats = 0;
    beat(): void {
      this.beats++;
    }
  }
  const quick = new Counter();
  const slow = new Counter();
  const timer = beatEvery(100, quick);
  beatEvery(250, slow);
  clock.runFor(500);
  expect([quick.beats, slow.beats]).toEqual([5, 2]);
  Timer.clear(timer);
  clock.runFor(500);
  expect([quick.beats, slow.beats]).toEqual([5, 4]);
});
