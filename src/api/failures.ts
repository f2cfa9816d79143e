import { FAILURE_MEMORY, FIRST_FAILURE_DELAY, MAX_FAILING_ADDRESSES, MAX_FAILURE_DELAY } from "./limits";

interface Failing {
  address: string;
  /** The delay of the next answer, ms. */
  delay: number;
  /** Ticks of the last failure. */
  last: number;
}

/** Who sent wrong tokens lately, and how long each must wait for the next answer. */
export class Failures {
  readonly #known: Failing[] = [];

  /**
   * Notes a wrong token from `address` at `now` (ticks).
   * @returns how long to hold the answer back, ms: 0 the first time, then growing up to MAX_FAILURE_DELAY.
   */
  record(address: string, now: number): number {
    const entry = this.entry(address, now);
    const { delay } = entry;
    entry.delay = delay ? Math.min(2 * delay, MAX_FAILURE_DELAY) : FIRST_FAILURE_DELAY;
    entry.last = now;
    return delay;
  }

  /** `address` has shown the right token. */
  forget(address: string): void {
    const index = this.#known.findIndex((entry) => entry.address === address);
    if (index >= 0) this.#known.splice(index, 1);
  }

  private entry(address: string, now: number): Failing {
    let oldest: Failing | undefined;
    for (const entry of this.#known) {
      if (entry.address === address) {
        // An age below zero is one of more than half the ticks' range.
        const age = (now - entry.last) | 0;
        if (age < 0 || age > FAILURE_MEMORY) entry.delay = 0;
        return entry;
      }
      if (!oldest || ((oldest.last - entry.last) | 0) > 0) oldest = entry;
    }
    if (!oldest || this.#known.length < MAX_FAILING_ADDRESSES) {
      const entry = { address, delay: 0, last: now };
      this.#known.push(entry);
      return entry;
    }
    oldest.address = address;
    oldest.delay = 0;
    return oldest;
  }
}
