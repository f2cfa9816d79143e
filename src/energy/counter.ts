/** Units of the remainder: half a microjoule is half a milliwatt for a millisecond. */
const HALF_MICROJOULES = 2_000_000;

/** Joules added up from milliwatts and milliseconds in whole numbers: nothing is rounded away, however long it counts. */
export class JouleCounter {
  private _joules = 0;
  /** Half microjoules beyond the whole joules, 0 to HALF_MICROJOULES - 1. */
  private rest = 0;

  /** Whole joules. */
  get joules(): number {
    return this._joules;
  }

  /**
   * Adds what flowed at a power that went evenly from `from` to `to` (mW, whole, 0 or more) within `time` (ms, whole): the trapezoid.
   * A pack's 30 kW over a minute are 3.6e12 units, far within 2^53.
   */
  add(from: number, to: number, time: number): void {
    const rest = this.rest + (from + to) * time;
    const joules = Math.floor(rest / HALF_MICROJOULES);
    this._joules += joules;
    this.rest = rest - joules * HALF_MICROJOULES;
  }

  /** Adds what an earlier run has counted. */
  addJoules(joules: number): void {
    this._joules += joules;
  }
}
