import fc from "../support/property";
import { describe, expect, it } from "vitest";
import { Clock, MOST_LATE, Script } from "../../host-sim/clock";

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("Clock", () => {
  it("runs events at their own time, simultaneous ones in the order they were scheduled", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (times) => {
        const clock = new Clock();
        const ran: { time: number; index: number; now: number }[] = [];
        times.forEach((time, index) => clock.at(time, () => ran.push({ time, index, now: clock.now })));
        clock.runFor(20);
        const expected = times
          .map((time, index) => ({ time, index, now: time }))
          .sort((a, b) => a.time - b.time || a.index - b.index);
        expect(ran).toEqual(expected);
      }),
    );
  });

  it("runs an event scheduled for the current time last", () => {
    const clock = new Clock();
    const ran: string[] = [];
    clock.at(5, () => {
      ran.push("first");
      clock.at(5, () => ran.push("third"));
      clock.at(1, () => ran.push("past"));
    });
    clock.at(5, () => ran.push("second"));
    clock.runUntil(5);
    expect(ran).toEqual(["first", "second", "third", "past"]);
    expect(clock.now).toBe(5);
  });

  it("skips cancelled events, even if cancelled by an event of the same time", () => {
    const clock = new Clock();
    const ran: number[] = [];
    const second = { event: clock.at(9, () => undefined) };
    clock.at(3, () => clock.cancel(second.event));
    second.event = clock.at(3, () => ran.push(2));
    clock.at(3, () => ran.push(3));
    clock.cancel(undefined);
    clock.runFor(10);
    clock.cancel(second.event);
    expect(ran).toEqual([3]);
  });

  it("does not run events inside an event", () => {
    const clock = new Clock();
    let inside = false;
    let nested = 0;
    const event = (): void => {
      if (inside) nested++;
      inside = true;
      clock.runFor(100);
      clock.external(() => (nested += inside ? 1 : 0));
      inside = false;
    };
    clock.at(1, event);
    clock.at(2, event);
    clock.runFor(10);
    expect(nested).toBe(0);
    expect(clock.now).toBe(10);
  });

  it("queues external events that arrive during an event", () => {
    const clock = new Clock();
    const ran: string[] = [];
    clock.at(1, () => {
      clock.external(() => ran.push("external"));
      ran.push("event");
    });
    clock.runFor(1);
    expect(ran).toEqual(["event", "external"]);
  });

  it("continues after an event that throws", () => {
    const clock = new Clock();
    const ran: number[] = [];
    clock.at(1, () => {
      throw new Error("broken");
    });
    clock.at(1, () => ran.push(1));
    expect(() => clock.runFor(5)).toThrow("broken");
    clock.runFor(5);
    expect(ran).toEqual([1]);
  });

  it("keeps to the schedule when the host is late", async () => {
    const clock = new Clock();
    const times: number[] = [];
    clock.start();
    const tick = (): void => {
      times.push(clock.now);
      if (times.length < 40) clock.after(0.25, tick);
    };
    clock.after(0.25, tick);
    const blockedUntil = performance.now() + 15;
    while (performance.now() < blockedUntil);
    while (times.length < 40) await delay(1);
    clock.stop();
    expect(times).toEqual(Array.from({ length: 40 }, (_, index) => (index + 1) * 0.25));
  });

  it("does not drift, even when the host's timers are late", async () => {
    const clock = new Clock();
    let ticks = 0;
    const tick = (): void => {
      ticks++;
      clock.after(0.7, tick);
    };
    clock.start();
    const started = performance.now();
    clock.after(0.7, tick);
    await delay(60);
    clock.external(() => undefined);
    const real = performance.now() - started;
    clock.stop();
    // `now` was taken inside the two readings of the real time, so this holds however slow the host is.
    expect(clock.now).toBeLessThanOrEqual(real + 1);
    expect(ticks).toBe(Math.floor(clock.now / 0.7 + 1e-9));
    expect(clock.now).toBeGreaterThanOrEqual(59);
  });

  it("stands still while the host is later than it may be, so that sockets get their turn", () => {
    const clock = new Clock();
    clock.start();
    const tick = (): void => void clock.after(10, tick);
    clock.after(10, tick);
    const blockedUntil = performance.now() + 3 * MOST_LATE;
    while (performance.now() < blockedUntil);
    clock.external(() => undefined);
    expect(clock.now).toBeCloseTo(10 + MOST_LATE, 6);
    clock.stop();
  });

  it("runs faster by its factor", async () => {
    const clock = new Clock();
    clock.start(100_000);
    const waited = await new Promise<number>((resolve) => clock.at(3_600_000, () => resolve(clock.now)));
    clock.stop();
    expect(waited).toBe(3_600_000);
  });

  it("takes external events at real time, after those that were due", async () => {
    const clock = new Clock();
    const ran: string[] = [];
    clock.start();
    clock.at(5, () => ran.push("due"));
    const blockedUntil = performance.now() + 12;
    while (performance.now() < blockedUntil);
    clock.external(() => ran.push("external"));
    expect(ran).toEqual(["due", "external"]);
    expect(clock.now).toBeGreaterThan(11);
    clock.stop();
    await delay(1);
  });

  it("stands still after stop", async () => {
    const clock = new Clock();
    let ran = false;
    clock.start();
    clock.after(1, () => (ran = true));
    clock.stop();
    clock.after(1, () => (ran = true));
    await delay(15);
    expect(ran).toBe(false);
  });

  it("waits for an event beyond the reach of Node's timers", async () => {
    const clock = new Clock();
    let ran = false;
    clock.start();
    clock.at(2 ** 31 + 5000, () => (ran = true));
    await delay(10);
    expect(clock.now).toBe(0);
    expect(ran).toBe(false);
    clock.stop();
  });
});

describe("Script", () => {
  it("delivers one callback at a time, never inside post", () => {
    const clock = new Clock();
    const script = new Script(clock);
    const ran: string[] = [];
    script.post(() => {
      script.post(() => ran.push("inner"));
      ran.push("outer");
    });
    expect(ran).toEqual([]);
    clock.runFor(0);
    expect(ran).toEqual(["outer", "inner"]);
  });

  it("delivers nothing while busy, including what was posted before", () => {
    const clock = new Clock();
    const script = new Script(clock);
    const ran: number[] = [];
    script.post(() => ran.push(clock.now));
    script.busyFor(10);
    script.busyFor(5);
    script.post(() => {
      ran.push(clock.now);
      script.busyFor(7);
    });
    script.post(() => ran.push(clock.now));
    clock.runFor(100);
    expect(ran).toEqual([15, 15, 22]);
  });

  it("continues after a callback that throws", () => {
    const clock = new Clock();
    const script = new Script(clock);
    const ran: number[] = [];
    script.post(() => {
      throw new Error("broken");
    });
    script.post(() => ran.push(1));
    expect(() => clock.runFor(1)).toThrow("broken");
    clock.runFor(1);
    expect(ran).toEqual([1]);
  });

  it("delivers nothing after stop", () => {
    const clock = new Clock();
    const script = new Script(clock);
    let ran = 0;
    script.post(() => ran++);
    script.stop();
    script.post(() => ran++);
    clock.runFor(10);
    expect(ran).toBe(0);
  });
});
