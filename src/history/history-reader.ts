import type { BodySource } from "http-server/types";
import { writeText } from "json/bytes";
import type { History } from "./history";
import { MAX_ROW_BYTES, SLOT_SECONDS, SLOTS } from "./limits";

const HEAD = "time_s,soc,power_w,min_cell_v,max_cell_v\r\n";
const MILLI = 1_000;

/**
 * Streams the history as CSV (RFC 4180), oldest first: `time_s,soc,power_w,min_cell_v,max_cell_v`. `time_s` is the
 * middle of a slot in seconds relative to the start of reading, 0 or negative. Slots without a reply have no row: a
 * step of more than SLOT_SECONDS is a gap.
 */
export class HistoryReader implements BodySource {
  private readonly history: History;
  private readonly now: number;
  private readonly last: number;
  private slot: number;
  /** Buffer for one row: a read may end in the middle of it. */
  private readonly row = new Uint8Array(Math.max(MAX_ROW_BYTES, HEAD.length));
  private at = 0;
  private used: number;

  constructor(history: History) {
    this.history = history;
    this.now = history.now;
    this.last = Math.floor(this.now / SLOT_SECONDS);
    this.slot = Math.max(0, this.last - SLOTS + 1);
    this.used = writeText(this.row, 0, HEAD);
  }

  read(into: Uint8Array): number {
    let length = 0;
    while (length < into.length && (this.at < this.used || this.nextRow()))
      into[length++] = this.row[this.at++] as number;
    return length;
  }

  /** @returns false after the last row. */
  private nextRow(): boolean {
    const history = this.history;
    while (this.slot <= this.last && !history.has(this.slot)) this.slot++;
    if (this.slot > this.last) return false;
    const slot = this.slot++;
    const row = this.row;
    const middle = slot * SLOT_SECONDS + SLOT_SECONDS / 2 - this.now;
    const volts = `${history.lowestCell(slot) / MILLI},${history.highestCell(slot) / MILLI}`;
    this.at = 0;
    this.used = writeText(row, 0, `${Math.min(middle, 0)},${history.soc(slot)},${history.power(slot)},${volts}\r\n`);
    return true;
  }
}
