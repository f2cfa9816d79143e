/**
 * Stand-ins for the platform's "timer" and "time" on a virtual clock that a test drives: `clock.runFor(ms)`. For use as
 * `vi.mock("timer", async () => (await import("../support/bms-time.ts")).timerModule)`.
 */
import { Clock, type ClockEvent } from "../../host-sim/clock.ts";

interface Handle {
  event: ClockEvent | undefined;
}

class VirtualTime {
  clock = new Clock();
  /** What Time.ticks shows at virtual time 0. */
  origin = 0;
  /** Makes the next Timer.set throw, as on a device without memory. */
  failNextSet = false;
  /** Timers that would still call back. */
  readonly live = new Set<Handle>();

  reset(origin = 0): Clock {
    this.clock = new Clock();
    this.origin = origin;
    this.failNextSet = false;
    this.live.clear();
    return this.clock;
  }

  get ticks(): number {
    return (this.origin + Math.floor(this.clock.now)) | 0;
  }
}

export const virtualTime = new VirtualTime();

export const timeModule = {
  default: {
    get ticks(): number {
      return virtualTime.ticks;
    },
  },
};

export const timerModule = {
  default: {
    set(callback: (timer: Handle) => void, delay = 0): Handle {
      if (virtualTime.failNextSet) {
        virtualTime.failNextSet = false;
        throw new Error("add failed");
      }
      const handle: Handle = { event: undefined };
      virtualTime.live.add(handle);
      handle.event = virtualTime.clock.after(delay, () => {
        virtualTime.live.delete(handle);
        callback(handle);
      });
      return handle;
    },
    repeat(callback: (timer: Handle) => void, interval: number): Handle {
      const handle: Handle = { event: undefined };
      const again = (): void => {
        handle.event = virtualTime.clock.after(interval, again);
        callback(handle);
      };
      virtualTime.live.add(handle);
      handle.event = virtualTime.clock.after(interval, again);
      return handle;
    },
    clear(handle: Handle | undefined): void {
      if (!handle) return;
      virtualTime.live.delete(handle);
      virtualTime.clock.cancel(handle.event);
    },
  },
};
