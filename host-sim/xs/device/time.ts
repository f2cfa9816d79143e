import { BOARD } from "../protocol";
import { clock, invoke } from "./link";

const Time = {
  set(seconds: number): void {
    invoke(BOARD, "setTime", seconds);
  },

  get ticks(): number {
    return clock.ticks;
  },

  delta(start: number, end = clock.ticks): number {
    return (end - start) | 0;
  },

  get microseconds(): number {
    return invoke(BOARD, "microseconds") as number;
  },
};
export default Time;
