import { utc } from "application";
import Time from "time";
import { MAX_TIME, MIN_TIME } from "../limits";

/** Ticks (ms) after which the base is advanced, well below half their range. */
const REBASE = 2 ** 30;

export interface Clock {
  /** UTC is known. */
  readonly valid: boolean;
  /** Whole seconds since 1970-01-01 UTC; undefined until known. */
  now(): number | undefined;
}

/** Whether the clock can be set to `time`, seconds since 1970. */
export const isTime = (time: number): boolean => time >= MIN_TIME && time < MAX_TIME;

/** UTC from a time server, the owner or, after a restart, the chip's clock, advanced by the ticks. */
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

  /** The same, and sets the chip's clock, which goes on over a restart; false and nothing for what no clock can be set to: it comes from outside. */
  adjust(utc: number): boolean {
    const time = Math.floor(utc / 1000);
    if (!isTime(time)) return false;
    this.set(utc);
    Time.set(time);
    return true;
  }

  /** Takes the time of the chip's clock, if that was set since power-on. */
  resume(): void {
    const time = utc();
    if (isTime(time)) this.set(1000 * time);
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
