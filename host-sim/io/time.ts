import { SimulatedBoard } from "../board";

const ticks = (): number => {
  const { timers, options } = SimulatedBoard.current;
  return (timers.uptime + (options.ticks ?? 0)) | 0;
};

/** The SDK's Time (modules/base/time), as far as the firmware uses it; `Date` remains the host's. */
const Time = {
  set(seconds: number): void {
    SimulatedBoard.current.setTime(seconds);
  },

  /** Whole milliseconds since power-on, as a signed 32-bit count that wraps. */
  get ticks(): number {
    return ticks();
  },

  delta(start: number, end = ticks()): number {
    return (end - start) | 0;
  },

  get microseconds(): number {
    return SimulatedBoard.current.uptime * 1000;
  },
};
export default Time;
