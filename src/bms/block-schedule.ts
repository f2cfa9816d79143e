import Time from "time";
import { BLOCK_ATTEMPTS } from "./limits";

/** In ms, both below 2^31. */
export interface BlockTimes {
  /** Between good readings. */
  readonly period: number;
  /** To wait after BLOCK_ATTEMPTS failures in a row. */
  readonly pause: number;
}

/**
 * When a slow block (one that rarely changes) is to be read: as soon as asked, again after a period, after a failure a few times
 * more.
 */
export class BlockSchedule {
  private readonly times: BlockTimes;
  private at = Time.ticks;
  private failures = 0;

  constructor(times: BlockTimes) {
    this.times = times;
  }

  get due(): boolean {
    return ((this.at - Time.ticks) | 0) <= 0;
  }

  /** Due from now on. */
  request(): void {
    this.failures = 0;
    this.plan(0);
  }

  succeeded(): void {
    this.failures = 0;
    this.plan(this.times.period);
  }

  failed(): void {
    if (++this.failures < BLOCK_ATTEMPTS) return this.plan(0);
    this.failures = 0;
    this.plan(this.times.pause);
  }

  private plan(delay: number): void {
    this.at = (Time.ticks + delay) | 0;
  }
}
