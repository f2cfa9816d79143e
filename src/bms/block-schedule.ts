import Time from "time";
import { BLOCK_ATTEMPTS } from "./limits";

/**
 * When a block that changes seldom is to be read: as soon as asked, again after a period, after a failure a few times
 * more.
 */
export class BlockSchedule {
  readonly #period: number;
  readonly #pause: number;
  #at = Time.ticks;
  #failures = 0;

  /**
   * @param options period: ms between good readings. pause: ms to wait after BLOCK_ATTEMPTS failures in a row. Both
   * below 2^31.
   */
  constructor({ period, pause }: { period: number; pause: number }) {
    this.#period = period;
    this.#pause = pause;
  }

  get due(): boolean {
    return ((this.#at - Time.ticks) | 0) <= 0;
  }

  /** Due from now on. */
  request(): void {
    this.#failures = 0;
    this.plan(0);
  }

  succeeded(): void {
    this.#failures = 0;
    this.plan(this.#period);
  }

  failed(): void {
    if (++this.#failures < BLOCK_ATTEMPTS) return this.plan(0);
    this.#failures = 0;
    this.plan(this.#pause);
  }

  private plan(delay: number): void {
    this.#at = (Time.ticks + delay) | 0;
  }
}
