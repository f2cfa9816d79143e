import { SimulatedBoard } from "../board";
import type { TimerRecord, Timers } from "../timers";

/** Timer handle held by the firmware. */
class Handle {
  timer: TimerRecord | undefined;
  readonly timers: Timers;

  constructor(timers: Timers, callback: (timer: Handle) => void, delay: number, repeat: number) {
    if (typeof callback !== "function") throw new TypeError("callback is not a function");
    this.timers = timers;
    this.timer = timers.add(
      () => {
        try {
          callback(this);
        } finally {
          if (this.timer?.repeat === 0) this.timer = undefined;
        }
      },
      delay,
      repeat,
    );
  }
}

/**
 * The SDK's Timer (modules/base/timer). Delays are whole milliseconds; a one-shot timer ceases to exist after firing,
 * and rescheduling it throws.
 */
export default class Timer {
  static set(callback: (timer: Handle) => void, delay = 0, repeat = 0): Handle {
    const { timers, refusals } = SimulatedBoard.current;
    if (refusals.refusesAllocation()) throw new Error("add failed");
    return new Handle(timers, callback, delay | 0, repeat | 0);
  }

  /** With interval 0 it fires once. */
  static repeat(callback: (timer: Handle) => void, interval: number): Handle {
    return Timer.set(callback, interval, interval);
  }

  /** Without a delay the timer is kept but does not fire. */
  static schedule(handle: Handle, delay?: number, repeat = 0): void {
    const { timer, timers } = handle;
    if (!timer) throw new TypeError("invalid");
    if (delay === undefined) timers.unschedule(timer);
    else timers.reschedule(timer, delay | 0, repeat | 0);
  }

  /** Ignores values that are not, or no longer, timers. */
  static clear(handle: Handle | undefined | null): void {
    if (!(handle instanceof Handle) || !handle.timer) return;
    handle.timers.remove(handle.timer);
    handle.timer = undefined;
  }

  /** Blocks the script for that long. */
  static delay(milliseconds: number): void {
    SimulatedBoard.current.script.busyFor(milliseconds);
  }
}
