import { beforeEach, expect, it, vi } from "vitest";
import { virtualTime } from "../support/bms-time.ts";

vi.mock("time", async () => (await import("../support/bms-time.ts")).timeModule);

const { Uptime } = await import("../../src/bms/uptime.ts");

const DAY = 86_400_000;

beforeEach(() => {
  virtualTime.reset();
});

it("counts whole seconds and loses no fraction between looks", () => {
  const uptime = new Uptime();
  for (let look = 0; look < 1000; look++) {
    virtualTime.clock.runFor(999);
    uptime.update();
  }
  expect(uptime.seconds).toBe(999);
  virtualTime.clock.runFor(999);
  expect(uptime.seconds).toBe(999);
  virtualTime.clock.runFor(1);
  expect(uptime.seconds).toBe(1000);
});

it("goes on over the wrap of the ticks, for years", () => {
  virtualTime.reset(0x7fffffff - 500);
  const uptime = new Uptime();
  virtualTime.clock.runFor(1000);
  expect(virtualTime.ticks).toBeLessThan(0);
  expect(uptime.seconds).toBe(1);
  for (let day = 0; day < 1000; day++) {
    virtualTime.clock.runFor(DAY);
    uptime.update();
  }
  expect(uptime.seconds).toBe(1000 * 86_400 + 1);
});

it("does not run backwards", () => {
  const uptime = new Uptime();
  virtualTime.clock.runFor(5000);
  expect(uptime.seconds).toBe(5);
  virtualTime.origin = -1000;
  expect(uptime.seconds).toBe(5);
});
