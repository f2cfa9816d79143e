import { BLANK_LONG, checkOf, isBlank, PAYLOAD, readLong, TIME_CHECK } from "./layout";
import { isWhole, type Ring } from "./ring";
import { Walk } from "./walk";

/** What is read of a record to find its place: its time, the check of it, and the first byte behind that. */
const HEAD = PAYLOAD + 1;
const SHIFT = 8;
const PLACE = 0xff;

export interface PageOptions {
  readonly ring: Ring;
  /** Times, seconds since 1970, both included. */
  readonly from: number;
  readonly to: number;
  /** Records at most. */
  readonly size: number;
  /** First byte of the payload; undefined: any. */
  readonly first?: number | undefined;
}

/**
 * The oldest records of a span of time, in the order of their times, whatever the order in which they were written: a clock that was set back or
 * forward leaves them out of order. Holds their places, two bytes each, and not the records. Records without a time are on no page. A sector whose
 * times the ring knows to be others is passed over.
 */
export class Page extends Walk {
  private readonly options: PageOptions;
  private readonly places: Uint16Array;
  private readonly head = new Uint8Array(HEAD);
  /** Records on the page. */
  count = 0;
  /** Time of the last. */
  private last = 0;
  /** The earliest time of those that had no room. */
  private left = Infinity;
  /** Earliest and latest time in the sector so far; it has only such as have one, which the ring does not know yet. */
  private earliest = 0;
  private latest = 0;
  private isSpan = false;

  constructor(options: PageOptions) {
    super(options.ring);
    this.options = options;
    this.places = new Uint16Array(options.size);
  }

  /** Scans up to `count` more records; finding the next sector counts as one for each of the ring. False: the page is ready. */
  scan(count: number): boolean {
    const { ring } = this;
    while (count > 0) {
      if (this.sector < 0) {
        if (!this.enter()) {
          this.finish();
          return false;
        }
        count -= ring.sectors;
        this.earliest = BLANK_LONG;
        this.latest = 0;
        this.isSpan = ring.isUnknown(this.sector);
        if (this.isElsewhere(this.sector)) this.sector = -1;
        continue;
      }
      const { end, sector } = this;
      for (; count > 0 && this.place < end; count--) this.examine(sector, this.place++);
      if (this.place < end) continue;
      // What may still change is not noted.
      if (this.isSpan && sector !== ring.head && ring.sequenceAt(sector) === this.sequence)
        ring.span(sector, this.earliest, this.latest);
      this.sector = -1;
    }
    return true;
  }

  /** `from` of the next page; undefined: this is the last. */
  get next(): number | undefined {
    return this.left === Infinity ? undefined : this.left;
  }

  /** Reads a record of the page. Undefined: it is no longer there. */
  read(record: Uint8Array, index: number): number | undefined {
    const { ring } = this;
    const at = this.places[index] as number;
    if (!ring.read(record, at >> SHIFT, at & PLACE) || !isWhole(record)) return undefined;
    return this.timeOf(record);
  }

  /** Seconds since 1970 if the record belongs here. */
  private timeOf(bytes: Uint8Array): number | undefined {
    const { from, to, first } = this.options;
    const time = readLong(bytes, 0);
    if (time < from || time > to || (first !== undefined && bytes[PAYLOAD] !== first)) return undefined;
    return bytes[TIME_CHECK] === checkOf(bytes, 0, TIME_CHECK) ? time : undefined;
  }

  /** Whether by its times none of the sector's records belongs on this page. */
  private isElsewhere(sector: number): boolean {
    const { ring, last, count } = this;
    const { from, to, first, size } = this.options;
    if (!ring.mayHave(sector, from, to)) return true;
    const earliest = ring.earliest(sector);
    if (count < size || first !== undefined || earliest < from || earliest <= last) return false;
    this.left = Math.min(this.left, earliest);
    return true;
  }

  private timeAt(index: number): number {
    const { head } = this;
    const at = this.places[index] as number;
    // What was erased meanwhile was the oldest.
    return this.ring.read(head, at >> SHIFT, at & PLACE) && !isBlank(head, 0, PAYLOAD) ? readLong(head, 0) : 0;
  }

  private examine(sector: number, place: number): void {
    const { head, places, options } = this;
    const isRead = this.ring.read(head, sector, place);
    const time = isRead ? this.timeOf(head) : undefined;
    if (!isRead) this.isSpan = false;
    if (this.isSpan) this.note(time);
    if (time === undefined) return;
    let at = this.count;
    if (at && time < this.last) at = this.find(time);
    if (at === options.size) {
      this.left = Math.min(this.left, time);
      return;
    }
    if (this.count < options.size) this.count++;
    else this.left = Math.min(this.left, this.last);
    places.copyWithin(at + 1, at, this.count - 1);
    places[at] = (sector << SHIFT) | place;
    this.last = at === this.count - 1 ? time : this.timeAt(this.count - 1);
  }

  /** Notes the time in `head`, or that it has none, which may be given later. `known`: it has been checked. */
  private note(known: number | undefined): void {
    const { head } = this;
    const time = known ?? readLong(head, 0);
    if (time < this.earliest) this.earliest = time;
    if (time > this.latest) this.latest = time;
    if (known === undefined && head[TIME_CHECK] !== checkOf(head, 0, TIME_CHECK)) this.isSpan = false;
  }

  /** The place behind the last record that is not later than `time`. */
  private find(time: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timeAt(middle) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Records of one time are on one page, unless they fill it. */
  private finish(): void {
    if (this.last !== this.left) return;
    let { count } = this;
    while (count && this.timeAt(count - 1) === this.left) count--;
    if (count) this.count = count;
    else this.left++;
  }
}
