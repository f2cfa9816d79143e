import Timer from "timer";
import { QUIET_TIME } from "./limits";

/** Somebody who is to keep the script free while a long frame is about to come. */
export interface Quiet {
  pause(): void;
  resume(): void;
}

/** Tells when a long frame is about to come and when it has; a BMS that stays silent does not keep the script idle for longer. */
export class QuietWindow {
  private readonly told: Quiet;
  private timer: Timer | undefined;

  constructor(told: Quiet) {
    this.told = told;
  }

  set(quiet: boolean): void {
    if (quiet === (this.timer !== undefined)) return;
    Timer.clear(this.timer);
    this.timer = quiet ? Timer.set(() => this.set(false), QUIET_TIME) : undefined;
    if (quiet) this.told.pause();
    else this.told.resume();
  }
}
