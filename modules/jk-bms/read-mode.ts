import { POLLS_BEFORE_CHANGE } from "./limits";
import type { ReadMode } from "./types";

/** Bit of ReadModeChoice.state; the rest counts failures. */
export const FRAMES = 1;

/** The read mode of such a state. */
export const modeOf = (state: number): ReadMode => (state & FRAMES ? "frames" : "registers");

/** The read mode in use: kept while it works; the other one is tried when it stops working. */
export class ReadModeChoice {
  active: ReadMode;
  private readonly fixed: boolean;
  /** Consecutive polls without an answer in the current mode. */
  private failures = 0;

  constructor(readMode: "auto" | ReadMode) {
    this.fixed = readMode !== "auto";
    this.active = readMode === "auto" ? "registers" : readMode;
  }

  /** What has been learned, as an integer, to be stored while another pack is asked. */
  get state(): number {
    return this.failures * 2 + (this.active === "frames" ? FRAMES : 0);
  }

  set state(state: number) {
    this.failures = state >> 1;
    this.active = modeOf(state);
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
    if (!this.fixed) this.active = this.active === "registers" ? "frames" : "registers";
  }
}
