import { FAILURE_MEMORY, MAX_FAILING_ADDRESSES } from "./limits";

interface Failing {
  address: string;
  /** Delay of the last failure, and of the next one, ms. */
  held: number;
  next: number;
  /** Ticks of the last failure. */
  last: number;
}

/** Delays of answers to failed attempts. */
export interface Delays {
  /** Delay of the second failure in a row, ms. */
  readonly first: number;
  /** Longest delay, ms. */
  readonly longest: number;
}

const NO_FAILURES: readonly Failing[] = Object.freeze([], true);

/** Addresses with recent wrong tokens or passwords, and how long each must wait. */
export class Failures {
  private readonly delays: Delays;
  /** Replaced whenever an entry is added or removed: with no entries it uses no memory. */
  private known = NO_FAILURES;

  constructor(delays: Delays) {
    this.delays = delays;
  }

  /**
   * Records a failure of `address` at `now` (ticks).
   * @returns delay of the answer, ms: 0 the first time, then growing up to the longest
   */
  record(address: string, now: number): number {
    const { first, longest } = this.delays;
    const entry = this.entry(address, now);
    entry.held = entry.next;
    entry.next = entry.held ? Math.min(2 * entry.held, longest) : first;
    entry.last = now;
    return entry.held;
  }

  /** Remaining delay of the last failure of `address` at `now` (ticks), ms. */
  left(address: string, now: number): number {
    const entry = this.known.find((known) => known.address === address);
    if (!entry) return 0;
    const age = (now - entry.last) | 0;
    return age >= 0 && age < entry.held ? entry.held - age : 0;
  }

  /** Clears the failures of `address` after a success. */
  forget(address: string): void {
    if (!this.known.length) return;
    const known = this.known.filter((entry) => entry.address !== address);
    this.known = known.length ? known : NO_FAILURES;
  }

  private entry(address: string, now: number): Failing {
    let oldest: Failing | undefined;
    for (const entry of this.known) {
      if (entry.address === address) {
        // A negative age means more than half the range of the ticks.
        const age = (now - entry.last) | 0;
        if (age < 0 || age > FAILURE_MEMORY) entry.next = 0;
        return entry;
      }
      if (!oldest || ((oldest.last - entry.last) | 0) > 0) oldest = entry;
    }
    if (!oldest || this.known.length < MAX_FAILING_ADDRESSES) {
      const entry = { address, held: 0, next: 0, last: now };
      this.known = [...this.known, entry];
      return entry;
    }
    oldest.address = address;
    oldest.next = 0;
    return oldest;
  }
}
