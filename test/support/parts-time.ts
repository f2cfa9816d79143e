/**
 * Stand-ins for "timer" and "time" on the simulator's virtual clock:
 *
 *   vi.mock("timer", () => import("../support/virtual-time").then(({ timerModule }) => timerModule));
 *   vi.mock("time", () => import("../support/virtual-time").then(({ timeModule }) => timeModule));
 */
import { Clock, type ClockEvent } from "../../host-sim/clock";

interface VirtualTimer {
  event: ClockEvent | undefined;
}

/** The clock of the running test; each test starts with a new one. */
export let clock = new Clock();
let firstTick = 0;

/** A new clock, whose ticks start at `ticks` (signed 32 bits, as on the device). */
export function restartTime(ticks = 0): void {
  clock = new Clock();
  firstTick = ticks;
}

function plan(
  timer: VirtualTimer,
  callback: (timer: VirtualTimer) => void,
  delay: number,
  repeat: number | undefined,
): void {
  timer.event = clock.after(delay, () => {
    timer.event = undefined;
    if (repeat !== undefined) plan(timer, callback, repeat, repeat);
    callback(timer);
  });
}

export const timerModule = {
  default: {
    set(callback: (timer: VirtualTimer) => void, delay = 0, repeat?: number): VirtualTimer {
      const timer: VirtualTimer = { event: undefined };
      plan(timer, callback, delay, repeat);
      return timer;
    },
    repeat(callback: (timer: VirtualTimer) => void, interval: number): VirtualTimer {
      return timerModule.default.set(callback, interval, interval);
    },
    clear(timer: VirtualTimer | undefined): void {
      clock.cancel(timer?.event);
    },
  },
};

export const timeModule = {
  default: {
    get ticks(): number {
      return (firstTick + Math.floor(clock.now)) | 0;
    },
  },
};
