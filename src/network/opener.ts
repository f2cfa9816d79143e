import Timer from "timer";
import { once, type Timed } from "../parts/timers";
import { MAX_REOPEN, MIN_REOPEN } from "./limits";

/** Has a socket that the platform may refuse: without memory, or before the TCP/IP stack runs. */
export interface Opened {
  /** Opens it. Throws if the platform refuses. */
  open(): void;
}

/** Opens a socket at once or, while the platform refuses, after growing pauses. Logs a refusal once, unless the reason changes. */
export class Opener implements Timed {
  private readonly owner: Opened;
  private readonly what: string;
  private timer: Timer | undefined;
  private pause = MIN_REOPEN;
  private refusal = "";

  /** `what`: the name in the log. */
  constructor(owner: Opened, what: string) {
    this.owner = owner;
    this.what = what;
  }

  /** Tries now, and again until it succeeds or `stop`. */
  start(): void {
    this.stop();
    this.pause = MIN_REOPEN;
    this.tick();
  }

  stop(): void {
    Timer.clear(this.timer);
    this.timer = undefined;
  }

  /** Timer callback. */
  tick(): void {
    this.timer = undefined;
    try {
      this.owner.open();
      this.refusal = "";
    } catch (error) {
      const refusal = String(error);
      if (refusal !== this.refusal) trace(`${this.what}: no socket, trying again: ${refusal}\n`);
      this.refusal = refusal;
      this.timer = once(this, this.pause);
      this.pause = Math.min(2 * this.pause, MAX_REOPEN);
    }
  }
}
