import { LOOK_INTERVAL, STUCK_AFTER } from "../limits";

/**
 * Finds a Wi-Fi that does not join although its network is there: after some beacon time-outs the driver does not join again until it is
 * started anew. Independent of platform and clock: call `step` with the ticks (ms, wrapping) at least once a second.
 */
export class Recovery {
  /** Start of the time without an address, or of the last remedy, ticks; undefined: there is an address, or none is to be expected. */
  private since: number | undefined;
  /** Ticks of the last look; undefined: none in this time. */
  private lookedAt: number | undefined;
  /** So often Wi-Fi has been started anew without an address since. */
  starts = 0;

  /**
   * @param lacking there is no address, one is wanted, and the password was not refused
   * @returns whether it is time to look whether the network is there
   */
  step(now: number, lacking: boolean): boolean {
    if (!lacking) {
      this.reset();
      return false;
    }
    this.since ??= now;
    // Unsigned: the network may be gone for more than half the range of the ticks.
    if ((now - this.since) >>> 0 < STUCK_AFTER) return false;
    return this.lookedAt === undefined || (now - this.lookedAt) >>> 0 >= LOOK_INTERVAL;
  }

  looked(now: number): void {
    this.lookedAt = now;
  }

  /** Wi-Fi is being started anew. */
  started(now: number): void {
    this.starts++;
    this.since = now;
    this.lookedAt = undefined;
  }

  /** Other settings. */
  reset(): void {
    this.since = this.lookedAt = undefined;
    this.starts = 0;
  }
}
