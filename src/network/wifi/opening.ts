import { LONELY_AFTER, PORTAL_IDLE } from "../limits";

/** What decides whether the own access point is open. */
export interface Circumstances {
  /** Cable or Wi-Fi, with an address. */
  readonly online: boolean;
  /** There was time to notice a cable, and there is none. */
  readonly noCable: boolean;
  /** A Wi-Fi is chosen. */
  readonly chosen: boolean;
  /** The chosen Wi-Fi could not be joined. */
  readonly failed: boolean;
}

/**
 * Whether the own access point should be open: on the first start, when a newly chosen Wi-Fi cannot be joined, and when there was no
 * network for LONELY_AFTER; until the network has been good, and nobody has used it, for PORTAL_IDLE. Knows no platform and no clock:
 * `step` is told the ticks (ms, wrapping), at least once a second.
 */
export class Opening {
  private _open = false;
  /** Not online since the start, or since another Wi-Fi was chosen. */
  private fresh = true;
  /** While closed: since when there is no network. While open: since when it could be closed. Ticks. */
  private since: number;

  constructor(now: number) {
    this.since = now;
  }

  get open(): boolean {
    return this._open;
  }

  /** Another Wi-Fi was chosen. */
  restart(): void {
    this.fresh = true;
  }

  /** Somebody at the device wants it open. */
  force(now: number): void {
    this.turn(true, now);
  }

  /** Somebody uses the access point. */
  used(now: number): void {
    if (this._open) this.since = now;
  }

  step(now: number, { online, noCable, chosen, failed }: Circumstances): void {
    if (online) this.fresh = false;
    if (this._open) {
      if (!online) this.since = now;
      else if (((now - this.since) | 0) >= PORTAL_IDLE) this.turn(false, now);
    } else if (online) {
      this.since = now;
    } else if (this.fresh && noCable && (!chosen || failed)) {
      this.turn(true, now);
    } else if (((now - this.since) | 0) >= LONELY_AFTER) {
      this.turn(true, now);
    }
  }

  private turn(open: boolean, now: number): void {
    this._open = open;
    this.since = now;
  }
}
