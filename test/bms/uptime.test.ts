import { beforeEach, expect, it } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board.ts";
import { poweredBoard } from "../support/system/simulated-board.ts";
import { Uptime } from "../../src/bms/uptime.ts";

import Time from "time";

const DAY = 86_400_000;

let board: SimulatedBoard;
beforeEach(() => {
  board = poweredBoard();
});

it("counts whole seconds and loses no fraction between reads", () => {
  const uptime = new Uptime();
  for (let look = 0; look < 1000; look++) {
    board.clock.runFor(999);
    uptime.update();
  }
  expect(uptime.seconds).toBe(999);
  board.clock.runFor(999);
  expect(uptime.seconds).toBe(999);
  board.clock.runFor(1);
  expect(uptime.seconds).toBe(1000);
});

it("counts whole hundredths of a second", () => {
  const uptime = new Uptime();
  board.clock.runFor(2_349);
  expect(uptime.centiseconds).toBe(234);
  board.clock.runFor(1);
  expect(uptime.centiseconds).toBe(235);
});

it("continues for years across tick wraps", () => {
  board = poweredBoard({ ticks: 0x7fffffff - 500 });
  const uptime = new Uptime();
  board.clock.runFor(1000);
  expect(Time.ticks).toBeLessThan(0);
  expect(uptime.seconds).toBe(1);
  for (let day = 0; day < 1000; day++) {
    board.clock.runFor(DAY);
    uptime.update();
  }
  expect(uptime.seconds).toBe(1000 * 86_400 + 1);
});

it("never runs backwards", () => {
  const uptime = new Uptime();
  board.clock.runFor(5000);
  expect(uptime.seconds).toBe(5);
  board.options.ticks = -1000;
  expect(uptime.seconds).toBe(5);
});
