import Time from "time";
import {
  LINK_QUALITY_PERIODS,
  LINK_QUALITY_PERIOD,
  MAX_LOST_PERCENT,
  MIN_QUALITY_POLLS,
  OTHERS_GARBLED,
} from "./limits";

/** What is counted of a pack in each period, one behind the other. */
const POLLS = 0;
const LOST = LINK_QUALITY_PERIODS;
const GARBLED = 2 * LINK_QUALITY_PERIODS;
const EACH = 3 * LINK_QUALITY_PERIODS;

/** Counts the telemetry polls of the last minutes, those lost and those garbled among them, in periods of LINK_QUALITY_PERIOD. */
export class LinkQuality {
  /** A byte is enough: a pack is polled 120 times a period at most (MIN_INTERVAL). */
  private readonly counts: Uint8Array;
  /** The current period. */
  private at = 0;
  /** Its start, ticks. */
  private since = Time.ticks;

  /** @param packs for each of which it is counted: one object for all takes less memory */
  constructor(packs = 1) {
    this.counts = new Uint8Array(EACH * packs);
  }

  /** A telemetry poll of a pack has ended. `isGarbled`: something came, but with a wrong checksum. */
  ended(isLost: boolean, pack = 0, isGarbled = false): void {
    this.advance();
    const { counts } = this;
    const at = pack * EACH + this.at;
    counts[at] = (counts[at] as number) + 1;
    if (isLost) counts[at + LOST] = (counts[at + LOST] as number) + 1;
    if (isGarbled) counts[at + GARBLED] = (counts[at + GARBLED] as number) + 1;
  }

  /** Forgets everything: another link. */
  reset(): void {
    this.counts.fill(0);
  }

  get isPoor(): boolean {
    return this.isPoorOf(0);
  }

  /** More than MAX_LOST_PERCENT of the polls were lost; false while there were too few. */
  isPoorOf(pack: number): boolean {
    return this.isMuch(pack, LOST);
  }

  /**
   * Two packs seem to share its address: more than MAX_LOST_PERCENT of what came from it was garbled, and of all others together hardly
   * anything. Noise on the line, or a bad end of it, garbles others too.
   */
  isContested(pack: number): boolean {
    if (!this.isMuch(pack, GARBLED)) return false;
    const packs = this.counts.length / EACH;
    let polls = 0;
    let garbled = 0;
    for (let other = 0; other < packs; other++)
      if (other !== pack) {
        polls += this.sumOf(other, POLLS) - this.sumOf(other, LOST);
        garbled += this.sumOf(other, GARBLED);
      }
    return polls >= MIN_QUALITY_POLLS && garbled * OTHERS_GARBLED < this.sumOf(pack, GARBLED);
  }

  private isMuch(pack: number, what: number): boolean {
    this.advance();
    const polls = this.sumOf(pack, POLLS);
    return polls >= MIN_QUALITY_POLLS && this.sumOf(pack, what) * 100 > polls * MAX_LOST_PERCENT;
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
