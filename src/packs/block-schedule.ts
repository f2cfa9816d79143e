import Time from "time";
import { BLOCK_ATTEMPTS } from "./limits";

/** Milliseconds, below 2^31. */
export interface BlockTimes {
  /** Between successful reads. */
  readonly period: number;
  /** After BLOCK_ATTEMPTS consecutive failures. */
  readonly pause: number;
}

/**
 * When to read a slow block (one that rarely changes): immediately on request, then periodically; a failed read is
 * retried a few times.
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

  /** Makes the block due now. */
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
