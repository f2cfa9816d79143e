import { POLLS_BEFORE_CHANGE } from "./limits";
import type { ReadingWay } from "./types";

/** The way of reading in use: kept while it works; the other one is tried when it stops working. */
export class WayChoice {
  private _active: ReadingWay;
  private readonly fixed: boolean;
  /** Polls in a row without an answer by the way in use. */
  private failures = 0;

  constructor(way: "auto" | ReadingWay) {
    this.fixed = way !== "auto";
    this._active = way === "auto" ? "registers" : way;
  }

  get active(): ReadingWay {
    return this._active;
  }

  /** Spares a BMS that stays silent a wake trigger at every poll. */
  get mayWake(): boolean {
    return this.failures === 0;
  }

  /** The telemetry has been asked for. An exception to a read of the plan counts as a failure: it will not be another the next time. */
  polled(answered: boolean): void {
    if (answered) {
      this.failures = 0;
      return;
    }
    this.failures++;
    if (this.failures < POLLS_BEFORE_CHANGE) return;
    this.failures = 0;
    if (!this.fixed) this._active = this._active === "registers" ? "frames" : "registers";
  }
}
