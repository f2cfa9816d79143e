import Time from "time";
import { TAIL_INTERVAL } from "./limits";

/**
 * When the end of the telemetry is read, of one pack or of several on a bus, which are polled in the order of their places: in each round that which
 * has waited longest, if that is TAIL_INTERVAL.
 */
export class Tails {
  /** By place: when it was asked for last, and behind them when it was read, ticks. */
  private readonly times: Int32Array;
  private readonly packs: number;
  /** The pack that was polled last; the one whose turn it is in this round; the one that has waited longest of those that were polled in it. */
  private last: number;
  private turn = 0;
  private oldest = 0;

  constructor(packs = 1) {
    this.times = new Int32Array(2 * packs);
    this.packs = this.last = packs;
  }

  /** Call once in a poll of the pack, when it answers. @param isMissing it is needed in any case @returns whether it is to be asked for now */
  isDue(place: number, isMissing: boolean): boolean {
    const { times } = this;
    const now = Time.ticks;
    if (place <= this.last) {
      this.turn = this.oldest;
      this.oldest = place;
    }
    this.last = place;
    // Unsigned: the pack may have been away for longer than a tick count is positive.
    const waited = (now - (times[place] as number)) >>> 0;
    const isDue = isMissing || (place === this.turn && waited >= TAIL_INTERVAL);
    if (isDue) times[place] = now;
    else if (waited > (now - (times[this.oldest] as number)) >>> 0) this.oldest = place;
    return isDue;
  }

  read(place: number): void {
    this.times[this.packs + place] = Time.ticks;
  }

  /** ms since it was read. */
  ageOf(place: number): number {
    return (Time.ticks - (this.times[this.packs + place] as number)) >>> 0;
  }
}
