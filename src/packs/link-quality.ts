import Time from "time";
import type { Measured } from "../conditions/types";
import {
  LINK_QUALITY_PERIODS,
  LINK_QUALITY_PERIOD,
  MANY_LOST_PERCENT,
  MIN_QUALITY_REQUESTS,
  SOME_LOST_PERCENT,
} from "./limits";

/** What is counted of a pack in each period, one behind the other. */
const REQUESTS = 0;
const LOST = LINK_QUALITY_PERIODS;
const EACH = 2 * LINK_QUALITY_PERIODS;

/**
 * Counts the requests of the telemetry polls of the last minutes, and of them those without a good reply, in periods
 * of LINK_QUALITY_PERIOD. As on the wire: a poll that is repeated until it is answered hides what is lost.
 */
export class LinkQuality {
  private readonly counts: Uint16Array;
  /** The current period. */
  private at = 0;
  /** Its start, ticks. */
  private since = Time.ticks;

  /** @param packs for each of which it is counted: one object for all takes less memory */
  constructor(packs = 1) {
    this.counts = new Uint16Array(EACH * packs);
  }

  /** A telemetry poll of a pack has ended. `lost`: requests without a good reply. */
  ended(requests: number, lost: number, pack = 0): void {
    this.advance();
    const { counts } = this;
    const at = pack * EACH + this.at;
    counts[at] = (counts[at] as number) + requests;
    counts[at + LOST] = (counts[at + LOST] as number) + lost;
  }

  /** Forgets everything: another link. */
  reset(): void {
    this.counts.fill(0);
  }

  /** More than MANY_LOST_PERCENT of the requests were lost; false while there were too few. */
  isPoor(pack = 0): boolean {
    return this.isMuch(pack, MANY_LOST_PERCENT);
  }

  /** The same with SOME_LOST_PERCENT. */
  isWeak(pack = 0): boolean {
    return this.isMuch(pack, SOME_LOST_PERCENT);
  }

  /** Requests that were lost, and the limit that `isPoor` or `isWeak` compares them with, tenths of a percent. */
  measurementOf(pack: number, isPoor: boolean): Measured {
    const lost = (1_000 * this.sumOf(pack, LOST)) / this.sumOf(pack, REQUESTS);
    return [Math.round(lost), 10 * (isPoor ? MANY_LOST_PERCENT : SOME_LOST_PERCENT)];
  }

  private isMuch(pack: number, percent: number): boolean {
    this.advance();
    const lost = this.sumOf(pack, LOST);
    // As a rule: asked at each reply, it is not worth the other sum.
    if (!lost) return false;
    const requests = this.sumOf(pack, REQUESTS);
    return requests >= MIN_QUALITY_REQUESTS && lost * 100 > requests * percent;
  }

  private sumOf(pack: number, what: number): number {
    const first = pack * EACH + what;
    let sum = 0;
    for (let at = first; at < first + LINK_QUALITY_PERIODS; at++) sum += this.counts[at] as number;
    return sum;
  }

  /** Begins the periods that have come since the last call. */
  private advance(): void {
    const now = Time.ticks;
    if (((now - this.since) | 0) < LINK_QUALITY_PERIOD) return;
    for (let steps = 0; ((now - this.since) | 0) >= LINK_QUALITY_PERIOD; steps++) {
      if (steps === LINK_QUALITY_PERIODS) {
        this.since = now;
        return;
      }
      this.since = (this.since + LINK_QUALITY_PERIOD) | 0;
      this.at = (this.at + 1) % LINK_QUALITY_PERIODS;
      for (let at = this.at; at < this.counts.length; at += LINK_QUALITY_PERIODS) this.counts[at] = 0;
    }
  }
}
