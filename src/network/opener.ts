import Timer from "timer";
import { standing, type Timed } from "../runtime/timers";
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
  private readonly timer: Timer;
  private pause = MIN_REOPEN;
  private refusal = "";

  /** `what`: the name in the log. Throws without memory for the timer. */
  constructor(owner: Opened, what: string) {
    this.owner = owner;
    this.what = what;
    this.timer = standing(this);
  }

  /** Tries now, and again until it succeeds or `stop`. */
  start(): void {
    this.stop();
    this.pause = MIN_REOPEN;
    this.tick();
  }

  stop(): void {
    Timer.schedule(this.timer);
  }

  /** For good. */
  close(): void {
    Timer.clear(this.timer);
  }

  /** Timer callback. */
  tick(): void {
    this.stop();
    try {
      this.owner.open();
      this.refusal = "";
    } catch (error) {
      const refusal = String(error);
      if (refusal !== this.refusal) trace(`${this.what}: no socket, trying again: ${refusal}\n`);
      this.refusal = refusal;
      Timer.schedule(this.timer, this.pause, this.pause);
      this.pause = Math.min(2 * this.pause, MAX_REOPEN);
    }
  }
}
