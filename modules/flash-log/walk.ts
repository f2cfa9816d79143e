import type { Ring } from "./ring";

/** Goes through the sectors of a ring that have records, the oldest first. */
export class Walk {
  protected readonly ring: Ring;
  /** The sector; -1: the next has to be entered. */
  protected sector = -1;
  /** Its sequence number, or that of the last one. */
  protected sequence = 0;
  /** Place of the next record in it. */
  protected place = 0;

  constructor(ring: Ring) {
    this.ring = ring;
  }

  /** Enters the sector with the lowest sequence number above the last one. False: there is none. */
  protected enter(): boolean {
    const { ring } = this;
    const sector = (this.sector = ring.after(this.sequence));
    if (sector < 0) return false;
    this.sequence = ring.sequenceAt(sector);
    this.place = 0;
    return true;
  }

  /** The place behind the last record of the sector. */
  protected get end(): number {
    const { ring } = this;
    return this.sector === ring.head ? ring.last + 1 : ring.perSector;
  }
}
