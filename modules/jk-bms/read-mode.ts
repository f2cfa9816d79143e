import { POLLS_BEFORE_CHANGE } from "./limits";
import type { ReadMode } from "./types";

/** The read mode in use: kept while it works; the other one is tried when it stops working. */
export class ReadModeChoice {
  private _active: ReadMode;
  private readonly fixed: boolean;
  /** Consecutive polls without an answer in the current mode. */
  private failures = 0;

  constructor(readMode: "auto" | ReadMode) {
    this.fixed = readMode !== "auto";
    this._active = readMode === "auto" ? "registers" : readMode;
  }

  get active(): ReadMode {
    return this._active;
  }

  /** What has been learned, as an integer, to be kept for another pack meanwhile: bit 0 is the mode, the rest counts failures. */
  get state(): number {
    return this.failures * 2 + (this._active === "frames" ? 1 : 0);
  }

  set state(state: number) {
    this.failures = state >> 1;
    this._active = state & 1 ? "frames" : "registers";
  }

  /** Limits wake triggers while the BMS stays silent. */
  get mayWake(): boolean {
    return this.failures === 0;
  }

  /** A telemetry poll has ended. An exception counts as a failure: the same read would fail again. */
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
