import { LONELY_AFTER, PORTAL_IDLE } from "../limits";

/** Inputs to the decision whether the own access point is open. */
export interface Circumstances {
  /** Ethernet or Wi-Fi, with an address. */
  readonly online: boolean;
  /** The grace period for detecting a cable is over, and there is none. */
  readonly noCable: boolean;
  /** The settings name a Wi-Fi. */
  readonly chosen: boolean;
  /** The configured Wi-Fi could not be joined. */
  readonly failed: boolean;
}

/**
 * Decides whether the own access point is open. It opens on the first start, when a newly configured Wi-Fi cannot be joined, and after
 * LONELY_AFTER without a network; it closes once the network has been up, and the access point unused, for PORTAL_IDLE. Independent of
 * platform and clock: call `step` with the ticks (ms, wrapping) at least once a second.
 */
export class Opening {
  open = false;
  /** Not online since the start, or since another Wi-Fi was configured. */
  private fresh = true;
  /** Closed: start of the time without a network. Open: start of the time in which it could be closed. Ticks. */
  private since: number;

  constructor(now: number) {
    this.since = now;
  }

  /** Another Wi-Fi has been configured. */
  restart(): void {
    this.fresh = true;
  }

  /** A user at the device opens it. */
  force(now: number): void {
    this.turn(true, now);
  }

  /** The access point is in use. */
  used(now: number): void {
    if (this.open) this.since = now;
  }

  step(now: number, { online, noCable, chosen, failed }: Circumstances): void {
    if (online) this.fresh = false;
    if (this.open) {
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
    this.open = open;
    this.since = now;
  }
}
