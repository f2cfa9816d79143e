import Timer from "timer";
import { QUIET_TIME } from "./limits";

/** Tells when a long frame is about to come and when it has; a BMS that stays silent does not keep the script idle for longer. */
export class QuietWindow {
  readonly #tell: (quiet: boolean) => void;
  #timer: Timer | undefined;

  constructor(tell: (quiet: boolean) => void) {
    this.#tell = tell;
  }

  set(quiet: boolean): void {
    if (quiet === (this.#timer !== undefined)) return;
    Timer.clear(this.#timer);
    this.#timer = quiet ? Timer.set(() => this.set(false), QUIET_TIME) : undefined;
    this.#tell(quiet);
  }
}
