import Timer from "timer";
import { QUIET_TIME } from "./limits";

/** Paused so that the script is free while a long frame arrives. */
export interface Quiet {
  pause(): void;
  resume(): void;
}

/** Opens before a long frame and closes after it, or after QUIET_TIME if the BMS stays silent. */
export class QuietWindow {
  private readonly paused: Quiet;
  private timer: Timer | undefined;

  constructor(paused: Quiet) {
    this.paused = paused;
  }

  set(quiet: boolean): void {
    if (quiet === (this.timer !== undefined)) return;
    Timer.clear(this.timer);
    this.timer = quiet ? Timer.set(() => this.set(false), QUIET_TIME) : undefined;
    if (quiet) this.paused.pause();
    else this.paused.resume();
  }
}
