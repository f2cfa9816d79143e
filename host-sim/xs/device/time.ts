import { BOARD } from "../protocol";
import { invoke, told } from "./link";

const Time = {
  set(seconds: number): void {
    invoke(BOARD, "setTime", seconds);
  },

  get ticks(): number {
    return told.ticks;
  },

  delta(start: number, end = told.ticks): number {
    return (end - start) | 0;
  },

  get microseconds(): number {
    return invoke(BOARD, "microseconds") as number;
  },
};
export default Time;
