import Time from "time";

/** Ticks (ms) after which the base is advanced, well below half their range. */
const REBASE = 2 ** 30;

export interface Clock {
  /** UTC is known. */
  readonly valid: boolean;
  /** Whole seconds since 1970-01-01 UTC; undefined until known. */
  now(): number | undefined;
}

/** UTC from the last time server answer, advanced by the ticks. */
export class WallClock implements Clock {
  /** UTC, ms, when the ticks were `at`. */
  private base: number | undefined;
  private at = 0;

  get valid(): boolean {
    return this.base !== undefined;
  }

  now(): number | undefined {
    this.keep();
    return this.base === undefined ? undefined : Math.floor((this.base + ((Time.ticks - this.at) | 0)) / 1000);
  }

  /** `utc`: ms since 1970. */
  set(utc: number): void {
    this.base = utc;
    this.at = Time.ticks;
  }

  /** Call at least every 12 days, before the ticks wrap unnoticed. */
  keep(): void {
    if (this.base === undefined) return;
    const elapsed = (Time.ticks - this.at) | 0;
    if (elapsed < REBASE) return;
    this.base += elapsed;
    this.at = (this.at + elapsed) | 0;
  }
}
