import Time from "time";
import { FIRST_LISTEN, MAX_SILENCE, MIN_SILENCE } from "./limits";

/** auto: sends until another master is heard. poll: always sends. listen: never sends. */
export type BusMode = "auto" | "poll" | "listen";

/** Milliseconds from `then` to `now`: Time.ticks wraps. */
const elapsed = (then: number, now: number): number => (now - then) | 0;

/**
 * Another master on the bus. A bus has one master (Modbus over serial line V1.02, section 2.1), so this one falls silent when it hears
 * another, until nothing has been heard of it for a while. If it returns, the while is twice as long: one that rarely speaks is not
 * disturbed each time.
 */
export class ForeignMaster {
  readonly mode: BusMode;
  /** It has been heard, and not been silent for long enough since. */
  private _present = false;
  /** The bus has been found free: sending is allowed. */
  private free: boolean;
  /** When it was last heard, or when listening began; once the bus is free, since when. */
  private since = Time.ticks;
  /** ms without a sign of it until the bus is free. */
  private silence = FIRST_LISTEN;

  constructor(mode: BusMode) {
    this.mode = mode;
    this.free = mode === "poll";
  }

  /** It has been heard, and nothing is sent because of it. */
  get present(): boolean {
    if (this.free) return false;
    this.update();
    return this._present;
  }

  /** Nothing is sent, what is heard is all there is. */
  get listening(): boolean {
    return this.mode === "listen" || this.present;
  }

  /** ms until something may be sent, unless it is heard first; 0: now. */
  get wait(): number {
    if (this.mode === "listen") return Infinity;
    this.update();
    return this.free ? 0 : this.silence - elapsed(this.since, Time.ticks);
  }

  /** A frame proves it. */
  onFrame(): void {
    if (this.mode === "poll") return;
    this.update();
    const now = Time.ticks;
    if (!this._present) {
      // Unsigned: the bus may have been free for longer than a tick count is positive.
      const returned = this.silence >= MIN_SILENCE && elapsed(this.since, now) >>> 0 < MAX_SILENCE;
      this.silence = returned ? Math.min(2 * this.silence, MAX_SILENCE) : MIN_SILENCE;
    }
    this._present = true;
    this.free = false;
    this.since = now;
  }

  private update(): void {
    if (this.free) return;
    const now = Time.ticks;
    if (elapsed(this.since, now) < this.silence) return;
    this._present = false;
    this.free = true;
    this.since = now;
  }
}
