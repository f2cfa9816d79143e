import Timer from "timer";
import { Observers } from "../runtime/observers";
import { once, type Timed } from "../runtime/timers";
import type { WriteReport } from "./outcomes";
import type { BmsObserver } from "./types";

/** The monitor's observers. A write's end waits for a timer, since it comes at the firmware's deepest stack level. */
export class BmsEvents extends Observers<BmsObserver> implements Timed {
  private ended: WriteReport | undefined;
  private timer: Timer | undefined;

  /** @throws Error without memory for a timer: then call `tick` at the next beat */
  writeEnded(report: WriteReport): void {
    this.ended = report;
    this.timer ??= once(this, 0);
  }

  tick(): void {
    const { ended } = this;
    this.timer = this.ended = undefined;
    if (ended) this.tell("writeEnded", ended);
  }

  close(): void {
    Timer.clear(this.timer);
    this.timer = undefined;
  }
}
