import { onReadable } from "door/enter";
import type Digital from "embedded:io/digital";
import Time from "time";
import Timer from "timer";
import { once } from "../runtime/timers";

/**
 * One digital input: a level counts once it has been stable for the debounce time. The class reports edges if the platform
 * can; `poll` catches missed ones, and all of them otherwise.
 */
export class DebouncedInput {
  private readonly digital: Digital;
  /** The debounced level. */
  level: 0 | 1;
  /** The level last seen, and since when (ticks). */
  private seen: 0 | 1;
  private since: number;
  private _debounce: number;
  private timer: Timer | undefined;

  /** `debounce`: ms. Throws if the pin is in use. */
  constructor({ io, pin, debounce }: { io: typeof Digital; pin: number; debounce: number }) {
    // Platforms without edge events lack the constants.
    const edges = ((io.Rising as number | undefined) ?? 0) | ((io.Falling as number | undefined) ?? 0);
    const mode = io.InputPullUp;
    this.digital = edges ? new io({ pin, mode, edge: edges, target: this, onReadable }) : new io({ pin, mode });
    this._debounce = debounce;
    this.level = this.seen = this.digital.read();
    this.since = Time.ticks;
  }

  get part(): string {
    return "monitoring";
  }

  set debounce(debounce: number) {
    this._debounce = debounce;
    if (this.seen === this.level) return;
    Timer.clear(this.timer);
    this.timer = undefined;
    this.settle();
  }

  poll(): void {
    if (this.digital.read() !== this.seen) this.readable();
  }

  /** An edge: the level has been stable since now at the earliest. */
  readable(): void {
    this.seen = this.digital.read();
    this.since = Time.ticks;
    this.settle();
  }

  /** Timer callback: the debounce time may be over. */
  tick(): void {
    this.timer = undefined;
    this.poll();
    this.settle();
  }

  close(): void {
    Timer.clear(this.timer);
    this.timer = undefined;
    this.digital.close();
  }

  private settle(): void {
    if (this.seen === this.level || this.timer) return;
    const left = (this.since + this._debounce - Time.ticks) | 0;
    if (left <= 0) this.level = this.seen;
    else
      try {
        this.timer = once(this, left);
      } catch {
        // No memory for the timer: the next poll sees the edge anew.
        this.seen = this.level;
      }
  }
}
