import { checkOf, isBlank, PAYLOAD, readLong, TIME_CHECK } from "./layout";
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
 * forward leaves them out of order. Holds their places, two bytes each, and not the records. Records without a time are on no page.
 */
export class Page extends Walk {
  private readonly options: PageOptions;
  private readonly places: Uint16Array;
  private readonly head = new Uint8Array(HEAD);
  private length = 0;
  /** Time of the last. */
  private last = 0;
  /** The earliest time of those that had no room. */
  private left = Infinity;

  constructor(options: PageOptions) {
    super(options.ring);
    this.options = options;
    this.places = new Uint16Array(options.size);
  }

  /** Looks at up to `count` more records. False: all have been looked at, and the page is ready. */
  look(count: number): boolean {
    while (count > 0) {
      if (this.sector < 0 && !this.enter()) {
        this.finish();
        return false;
      }
      const { end } = this;
      for (; count > 0 && this.place < end; count--) this.lookAt(this.sector, this.place++);
      if (this.place >= end) this.sector = -1;
    }
    return true;
  }

  /** Records on the page. */
  get count(): number {
    return this.length;
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

  private timeAt(index: number): number {
    const { head } = this;
    const at = this.places[index] as number;
    // What was erased meanwhile was the oldest.
    return this.ring.read(head, at >> SHIFT, at & PLACE) && !isBlank(head, 0, PAYLOAD) ? readLong(head, 0) : 0;
  }

  private lookAt(sector: number, place: number): void {
    const { head, places, options } = this;
    if (!this.ring.read(head, sector, place)) return;
    const time = this.timeOf(head);
    if (time === undefined) return;
    let at = this.length;
    if (at && time < this.last) at = this.find(time);
    if (at === options.size) {
      this.left = Math.min(this.left, time);
      return;
    }
    if (this.length < options.size) this.length++;
    else this.left = Math.min(this.left, this.last);
    places.copyWithin(at + 1, at, this.length - 1);
    places[at] = (sector << SHIFT) | place;
    this.last = at === this.length - 1 ? time : this.timeAt(this.length - 1);
  }

  /** The place behind the last record that is not later than `time`. */
  private find(time: number): number {
    let low = 0;
    let high = this.length;
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
    let { length } = this;
    while (length && this.timeAt(length - 1) === this.left) length--;
    if (length) this.length = length;
    else this.left++;
  }
}
