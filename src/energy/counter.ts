/** Half microjoules per joule. The remainder counts half microjoules: half a milliwatt for one millisecond. */
const HALF_MICROJOULES = 2_000_000;

/** Integrates milliwatts over milliseconds into joules in integer arithmetic: no rounding error accumulates. */
export class JouleCounter {
  /** Whole joules. */
  joules = 0;
  /** Half microjoules beyond the whole joules, 0 to HALF_MICROJOULES - 1. */
  private rest = 0;

  /**
   * Adds the energy of a power that changes linearly from `from` to `to` (mW, whole, 0 or more) over `time` (ms,
   * whole): the trapezoidal rule. 30 kW for a minute is 3.6e12 units, well within 2^53.
   */
  add(from: number, to: number, time: number): void {
    const rest = this.rest + (from + to) * time;
    const joules = Math.floor(rest / HALF_MICROJOULES);
    this.joules += joules;
    this.rest = rest - joules * HALF_MICROJOULES;
  }

  /** Adds the count of an earlier run. */
  addJoules(joules: number): void {
    this.joules += joules;
  }
}
