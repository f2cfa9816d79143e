import Time from "time";
import { LINK_QUALITY_PERIODS, LINK_QUALITY_PERIOD, MAX_LOST_PERCENT, MIN_QUALITY_POLLS } from "./limits";

/** Counts the telemetry polls of the last minutes and the lost ones among them, in periods of LINK_QUALITY_PERIOD. */
export class LinkQuality {
  private readonly polls: Uint16Array;
  private readonly lost: Uint16Array;
  /** The current period. */
  private at = 0;
  /** Its start, ticks. */
  private since = Time.ticks;

  /** @param packs for each of which it is counted: one object for all takes less memory */
  constructor(packs = 1) {
    this.polls = new Uint16Array(LINK_QUALITY_PERIODS * packs);
    this.lost = new Uint16Array(LINK_QUALITY_PERIODS * packs);
  }

  /** A telemetry poll of a pack has ended. */
  ended(isLost: boolean, pack = 0): void {
    this.advance();
    const { lost, polls } = this;
    const at = pack * LINK_QUALITY_PERIODS + this.at;
    polls[at] = (polls[at] as number) + 1;
    if (isLost) lost[at] = (lost[at] as number) + 1;
  }

  /** Forgets everything: another link. */
  reset(): void {
    this.polls.fill(0);
    this.lost.fill(0);
  }

  get isPoor(): boolean {
    return this.isPoorOf(0);
  }

  /** More than MAX_LOST_PERCENT of the polls were lost; false while there were too few to tell. */
  isPoorOf(pack: number): boolean {
    this.advance();
    let polls = 0;
    let lost = 0;
    const first = pack * LINK_QUALITY_PERIODS;
    for (let index = first; index < first + LINK_QUALITY_PERIODS; index++) {
      polls += this.polls[index] as number;
      lost += this.lost[index] as number;
    }
    return polls >= MIN_QUALITY_POLLS && lost * 100 > polls * MAX_LOST_PERCENT;
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
      for (let at = this.at; at < this.polls.length; at += LINK_QUALITY_PERIODS) this.polls[at] = this.lost[at] = 0;
    }
  }
}
