import Timer from "timer";
import { Observers } from "../runtime/observers";
import { once, type Timed } from "../runtime/timers";
import type { WriteReport } from "./outcomes";
import type { BmsObserver } from "./types";

/** The monitor's observers. A write's end waits for a timer, since it comes at the firmware's deepest stack level. */
export class BmsEvents extends Observers<BmsObserver> implements Timed {
  /** Not reported yet: one, unless in the same callback the next write of a setting for all packs could not begin, or there was no timer. */
  private readonly ended: WriteReport[] = [];
  private timer: Timer | undefined;

  /** Without one esbuild writes `super(...arguments)` for the field, which the build refuses (scripts/shrink/refused.mjs). */
  constructor() {
    super();
  }

  /** Without memory for a timer the observers learn of it at the next beat, which calls `tick`. */
  writeEnded(report: WriteReport): void {
    this.ended.push(report);
    try {
      this.timer ??= once(this, 0);
    } catch (error) {
      trace(`bms: no timer: ${String(error)}\n`);
    }
  }

  tick(): void {
    this.timer = undefined;
    for (let report = this.ended.shift(); report; report = this.ended.shift()) this.report("writeEnded", report);
  }

  close(): void {
    Timer.clear(this.timer);
    this.timer = undefined;
  }
}
