import Time from "time";
import { SEARCH_LISTEN, SEARCH_PATIENCE, SEARCH_SILENCE } from "./limits";

const elapsed = (since: number): number => (Time.ticks - since) | 0;

/**
 * Whether a search may ask something on a line whose baud rate may be another: at the wrong one another master is nothing but noise, and a question
 * would collide with its own. Begins with the bus, opened at that rate.
 */
export class LineSilence {
  private since = Time.ticks;
  private needed = SEARCH_LISTEN;
  isAwaited = true;
  private disturbances = 0;

  /** Something came that was no reply to what was asked. */
  disturbed(): void {
    this.since = Time.ticks;
    this.needed = SEARCH_SILENCE;
    this.isAwaited = true;
    this.disturbances++;
  }

  /** @param lastActivity when a byte was last heard, ticks */
  isSilent(lastActivity: number): boolean {
    if (!this.isAwaited) return true;
    if (((lastActivity - this.since) | 0) > 0) this.needed = SEARCH_SILENCE;
    this.isAwaited = elapsed(lastActivity) < this.needed;
    return !this.isAwaited;
  }

  /** It has not been silent for too long: it never will be. */
  get isHopeless(): boolean {
    return this.isAwaited && (this.disturbances > 1 || elapsed(this.since) >= SEARCH_PATIENCE);
  }
}
