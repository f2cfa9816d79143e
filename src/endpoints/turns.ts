import Timer from "timer";
import Time from "time";
import type { Exchange } from "http-server/types";
import { repeat, type Timed } from "../runtime/timers";
import { MAX_TURN_WAIT, TURN_STEP } from "./limits";

/** A request that waits for its turn. */
interface Waiting {
  readonly exchange: Exchange;
  readonly begin: () => void;
  readonly refuse: () => void;
  /** Ticks. */
  readonly since: number;
}

/** Long answers, each of which holds some 3 KB, are made a few at a time; whoever comes then waits, at most one request a connection. */
export class Turns implements Timed {
  readonly part = "server";
  private readonly most: number;
  /** Answers that are being made. */
  private running = 0;
  private waiting: Waiting[] = [];
  /** Runs while somebody waits. */
  private timer: Timer | undefined;

  /** @param most answers at a time */
  constructor(most: number) {
    this.most = most;
  }

  /**
   * Calls `begin` when it is its turn, unless its client has gone; it leads to one `end`, or throws. `refuse`: it waited for too long.
   */
  take(exchange: Exchange, begin: () => void, refuse: () => void): void {
    if (this.running < this.most && !this.timer) return this.begin(begin);
    try {
      this.timer ??= repeat(this, TURN_STEP);
    } catch {
      // No memory for a timer.
      return refuse();
    }
    this.waiting = this.waiting.filter((other) => other.exchange.open);
    this.waiting.push({ exchange, begin, refuse, since: Time.ticks });
  }

  end(): void {
    this.running--;
  }

  tick(): void {
    const { waiting } = this;
    // A busy script has few steps.
    const now = Time.ticks;
    while (waiting[0] && (this.running < this.most || ((now - waiting[0].since) | 0) >= MAX_TURN_WAIT)) {
      const { exchange, begin, refuse } = waiting.shift() as Waiting;
      if (!exchange.open) continue;
      if (this.running < this.most) this.begin(begin);
      else refuse();
    }
    if (waiting.length) return;
    Timer.clear(this.timer);
    this.timer = undefined;
  }

  private begin(begin: () => void): void {
    this.running++;
    try {
      begin();
    } catch (error) {
      this.running--;
      throw error;
    }
  }
}
