import Time from "time";

const SECOND = 1000;

/**
 * Seconds since creation. `Time.ticks` wraps after 2^31 ms (24.8 days), so the time is accumulated from differences and
 * must be updated more often than that; the monitor's poll and the supervisor do so.
 */
export class Uptime {
  private ticks = Time.ticks;
  private _seconds = 0;
  /** Milliseconds beyond the whole seconds, 0 to 999. */
  private rest = 0;

  get seconds(): number {
    this.update();
    return this._seconds;
  }

  /** Hundredths of a second. */
  get centiseconds(): number {
    this.update();
    return this._seconds * 100 + Math.floor(this.rest / 10);
  }

  update(): void {
    const now = Time.ticks;
    const passed = (now - this.ticks) | 0;
    if (passed <= 0) return;
    this.ticks = now;
    const rest = this.rest + passed;
    this.rest = rest % SECOND;
    this._seconds += (rest - this.rest) / SECOND;
  }
}
