import { MARK_INTERVAL, MARKS } from "./limits";

/** What the counters had counted, at equal intervals since the start: from these the days of a run whose clock becomes known later have their energy. */
export class CounterMarks {
  /** Joules charged and discharged, in turn. */
  private readonly joules = new Float64Array(2 * MARKS);
  private count = 1;
  private interval = MARK_INTERVAL;

  /** @param uptime seconds since the start */
  note(uptime: number, charged: number, discharged: number): void {
    const { joules } = this;
    while (uptime >= this.count * this.interval) {
      if (this.count === MARKS) {
        for (let mark = 2; mark < MARKS; mark += 2) joules.copyWithin(mark, 2 * mark, 2 * mark + 2);
        this.count /= 2;
        this.interval *= 2;
        continue;
      }
      joules[2 * this.count] = charged;
      joules[2 * this.count++ + 1] = discharged;
    }
  }

  /**
   * Joules counted until then.
   * @param way 0: charged, 1: discharged
   * @param now seconds since the start, and the joules until then
   */
  at(uptime: number, way: 0 | 1, now: number, total: number): number {
    const { joules, interval } = this;
    if (uptime <= 0) return 0;
    const mark = Math.min(Math.floor(uptime / interval), this.count - 1);
    const from = joules[2 * mark + way] as number;
    const isLast = mark === this.count - 1;
    const to = isLast ? total : (joules[2 * mark + 2 + way] as number);
    return from + (to - from) * ((uptime - mark * interval) / (isLast ? now - mark * interval : interval));
  }
}
