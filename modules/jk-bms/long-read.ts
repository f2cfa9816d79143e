import { KNOWN_LONG_READ_DOUBTS, LONG_READ_DOUBTS } from "./limits";

/** "Server device busy" and "acknowledge" (Modbus Application Protocol V1.1b3, section 7) say nothing about the length of a read. */
const ACKNOWLEDGE = 5;
const BUSY = 6;

/** Whether this pack answers its telemetry in one long read: learned while it is read, and kept. */
export class LongRead {
  /** Not asked for any more. */
  private refused = false;
  /** It was answered, and no poll has failed since. */
  private proven = false;
  /** It was answered once. */
  private known = false;
  /** Polls in a row in which it went unanswered, and shorter ones did not. */
  private doubts = 0;

  /** What has been learned, as an integer: three bits, and the doubts. */
  get state(): number {
    return this.doubts * 8 + (this.known ? 4 : 0) + (this.proven ? 2 : 0) + (this.refused ? 1 : 0);
  }

  set state(state: number) {
    this.doubts = state >> 3;
    this.known = (state & 4) !== 0;
    this.proven = (state & 2) !== 0;
    this.refused = (state & 1) !== 0;
  }

  get tried(): boolean {
    return !this.refused;
  }

  answered(): void {
    this.proven = this.known = true;
    this.doubts = 0;
  }

  /** Whether the exception refuses the length: shorter reads follow at once. */
  refusedWith(exception: number): boolean {
    if (exception === ACKNOWLEDGE || exception === BUSY) return false;
    // Of one that has answered it, the exception may have been meant for another request.
    if (this.known) this.doubt();
    else this.refused = true;
    return true;
  }

  /** Whether shorter reads may be answered. Not if the pack has answered before: it is gone, or noise has hit a reply; the next poll decides. */
  unanswered(): boolean {
    const { proven } = this;
    this.proven = false;
    return !proven;
  }

  /** A shorter read was answered at once, or the long one refused. Noise may have hit the long one, which then is answered the next time. */
  doubt(): void {
    if (++this.doubts >= (this.known ? KNOWN_LONG_READ_DOUBTS : LONG_READ_DOUBTS)) this.refused = true;
  }
}
