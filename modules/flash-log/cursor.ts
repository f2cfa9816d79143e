import { checkOf, isBlank, readLong, TIME_CHECK } from "./layout";
import { isWhole, type Ring } from "./ring";
import { Walk } from "./walk";

/** Reads the records of a ring, the oldest first, of all sectors or of the newest ones. Sectors that are erased meanwhile are passed over; nothing is read twice. */
export class Cursor extends Walk {
  /** The record last read: valid until the next. */
  readonly record: Uint8Array;
  /** Its time, seconds since 1970; undefined: it was not known. */
  time: number | undefined;

  /** `ring.erased` when the sector was last read. */
  private erased = 0;

  constructor(ring: Ring, sectors = ring.sectors) {
    super(ring);
    this.sequence = Math.max(0, ring.sequence - sectors);
    this.record = new Uint8Array(ring.recordBytes);
  }

  /** Gives the record last read its time. False: it has one, it is no longer there, or the flash fails. */
  stamp(time: number): boolean {
    return this.isInSector() && this.ring.stamp(this.sector, this.place - 1, time);
  }

  /** Reads the next record; what cannot be read is passed over. False: there is none. */
  next(): boolean {
    const { ring, record } = this;
    for (;;) {
      if (!this.isInSector() && !this.enter()) return false;
      while (this.place < ring.perSector) {
        if (!ring.read(record, this.sector, this.place++)) continue;
        if (isBlank(record, 0, record.length)) {
          // More may be appended to the newest.
          this.place--;
          break;
        }
        if (!isWhole(record)) continue;
        this.time = timeOf(record);
        return true;
      }
      if (this.sector === ring.head) return false;
      this.sector = -1;
    }
  }

  private isInSector(): boolean {
    const { ring } = this;
    if (this.sector < 0) return false;
    if (this.erased === ring.erased) return true;
    this.erased = ring.erased;
    return ring.sequenceAt(this.sector) === this.sequence;
  }
}

/** Seconds since 1970 of a record; undefined: it has no time. */
export function timeOf(record: Uint8Array): number | undefined {
  return record[TIME_CHECK] === checkOf(record, 0, TIME_CHECK) ? readLong(record, 0) : undefined;
}
