import Time from "time";
import { TAIL_INTERVAL } from "./limits";

/** When the end of the telemetry may be read, of one pack or of several on a bus: one of them every TAIL_INTERVAL. */
export class Tails {
  private readonly interval: number;
  /** The last one of all, ticks. */
  private at = 0;

  constructor(packs = 1) {
    this.interval = TAIL_INTERVAL * packs;
  }

  /** @param since when that of this pack was read, ticks */
  isDue(since: number): boolean {
    const now = Time.ticks;
    return ((now - since) | 0) >= this.interval && ((now - this.at) | 0) >= TAIL_INTERVAL;
  }

  /** One is read now. @returns ticks */
  read(): number {
    return (this.at = Time.ticks);
  }
}
