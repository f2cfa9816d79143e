/**
 * Stand-ins for the platform's "timer" and "time" on a virtual clock, for tests of firmware parts without a host:
 *
 *     vi.mock("timer", async () => ({ default: (await import("../support/virtual-time")).VirtualTimer }));
 *     vi.mock("time", async () => ({ default: (await import("../support/virtual-time")).VirtualTime }));
 */
import { Clock, Script, type ClockEvent } from "../../host-sim/clock";

/** The tick count starts so that it wraps (2^31) this many ms into every test. */
const WRAPS_AFTER = 3000;

export const board = { clock: new Clock(), script: undefined as unknown as Script };

/** A new board for each test: power-on. */
export function powerOn(): Clock {
  board.clock = new Clock();
  board.script = new Script(board.clock);
  return board.clock;
}
powerOn();

interface Running {
  event: ClockEvent | undefined;
}

export const VirtualTimer = {
  set(callback: (timer: Running) => void, delay = 0): Running {
    const { clock, script } = board;
    const timer: Running = { event: undefined };
    timer.event = clock.after(delay, () =>
      script.post(() => {
        if (!timer.event) return;
        timer.event = undefined;
        callback(timer);
      }),
    );
    return timer;
  },
  repeat(callback: (timer: Running) => void, interval: number): Running {
    const { clock, script } = board;
    const timer: Running = { event: undefined };
    const plan = (): void => {
      timer.event = clock.after(interval, () => {
        plan();
        script.post(() => {
          if (timer.event) callback(timer);
        });
      });
    };
    plan();
    return timer;
  },
  clear(timer: Running | undefined): void {
    if (!timer) return;
    board.clock.cancel(timer.event);
    timer.event = undefined;
  },
};

export const VirtualTime = {
  get ticks(): number {
    return (Math.floor(board.clock.now) + 0x7fffffff - WRAPS_AFTER) | 0;
  },
};
