import { timeOf } from "./cursor";
import { isWhole, type Ring } from "./ring";

/** Reads the records of a ring that have a time, the newest first, and takes records out. */
export class Back {
  /** The record last read: valid until the next. */
  readonly record: Uint8Array;
  /** Its time, seconds since 1970. */
  time = 0;
  private readonly ring: Ring;
  private sector: number;
  private sequence: number;
  private place: number;

  constructor(ring: Ring) {
    this.ring = ring;
    this.record = new Uint8Array(ring.recordBytes);
    this.sector = ring.head;
    this.sequence = ring.sequence;
    this.place = ring.last + 1;
  }

  /** Reads the record before the last one; what cannot be read, or has no time, is passed over. False: there is none. */
  next(): boolean {
    const { ring, record } = this;
    while (this.sector >= 0) {
      while (this.place > 0)
        if (ring.read(record, this.sector, --this.place) && isWhole(record)) {
          const time = timeOf(record);
          if (time === undefined) continue;
          this.time = time;
          return true;
        }
      this.sector = ring.after(--this.sequence - 1);
      if (ring.sequenceAt(this.sector) !== this.sequence) this.sector = -1;
      this.place = ring.perSector;
    }
    return false;
  }

  /** Takes the record last read out. */
  takeOut(): void {
    this.ring.takeOut(this.sector, this.place);
  }
}
