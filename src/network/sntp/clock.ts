import Time from "time";

/** Ticks (ms) after which the base is moved on: far below the half of their range. */
const REBASE = 2 ** 30;

export interface Clock {
  /** UTC is known. */
  readonly valid: boolean;
  /** Seconds since 1970-01-01 UTC, whole; undefined until known. */
  now(): number | undefined;
}

/** UTC from the last answer of a time server, carried on by the ticks. */
export class WallClock implements Clock {
  /** UTC, ms, at … */
  private base: number | undefined;
  /** … these ticks. */
  private at = 0;

  get valid(): boolean {
    return this.base !== undefined;
  }

  now(): number | undefined {
    this.keep();
    return this.base === undefined ? undefined : Math.floor((this.base + ((Time.ticks - this.at) | 0)) / 1000);
  }

  /** `utc` ms since 1970. */
  set(utc: number): void {
    this.base = utc;
    this.at = Time.ticks;
  }

  /** To be called at least every 12 days, or the ticks wrap unseen. */
  keep(): void {
    if (this.base === undefined) return;
    const elapsed = (Time.ticks - this.at) | 0;
    if (elapsed < REBASE) return;
    this.base += elapsed;
    this.at = (this.at + elapsed) | 0;
  }
}
