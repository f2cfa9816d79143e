import { POLLS_BEFORE_CHANGE } from "./limits";
import type { ReadMode } from "./types";

/** The read mode in use: kept while it works; the other one is tried when it stops working. */
export class ReadModeChoice {
  private _active: ReadMode;
  private readonly fixed: boolean;
  /** Polls in a row without an answer by the mode in use. */
  private failures = 0;

  constructor(readMode: "auto" | ReadMode) {
    this.fixed = readMode !== "auto";
    this._active = readMode === "auto" ? "registers" : readMode;
  }

  get active(): ReadMode {
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
