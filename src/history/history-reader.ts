import type { BodySource } from "http-server/types";
import { writeDecimal } from "json/decimal";
import type { History } from "./history";
import { MAX_ROW_BYTES, SLOT_SECONDS, SLOTS } from "./limits";

const HEAD = "time_s,soc,power_w,min_cell_v,max_cell_v\r\n";
const COMMA = 0x2c;
const CR = 0x0d;
const LF = 0x0a;
const MILLI = 3;

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
    for (let index = 0; index < HEAD.length; index++) this.row[index] = HEAD.charCodeAt(index);
    this.used = HEAD.length;
  }

  read(into: Uint8Array): number {
    const room = into.length;
    let length = 0;
    while (length < room) {
      if (this.at === this.used && !this.nextRow()) break;
      while (length < room && this.at < this.used) into[length++] = this.row[this.at++] as number;
    }
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
    let end = writeDecimal(row, 0, Math.min(middle, 0), 0);
    row[end++] = COMMA;
    end = writeDecimal(row, end, history.soc(slot), 0);
    row[end++] = COMMA;
    end = writeDecimal(row, end, history.power(slot), 0);
    row[end++] = COMMA;
    end = writeDecimal(row, end, history.lowestCell(slot), MILLI);
    row[end++] = COMMA;
    end = writeDecimal(row, end, history.highestCell(slot), MILLI);
    row[end++] = CR;
    row[end++] = LF;
    this.at = 0;
    this.used = end;
    return true;
  }
}
