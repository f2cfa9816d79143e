import { JOIN_TIMEOUT, MAX_BACK_OFF, MIN_BACK_OFF, STABLE_AFTER } from "../limits";
import type { JoinFailure } from "../types";

/** Link states, for Ethernet and Wi-Fi alike. */
export const LINK = Object.freeze({ down: 0, connecting: 1, linked: 2, online: 3 } as const, true);
export type Link = (typeof LINK)[keyof typeof LINK];

/** The Wi-Fi in the settings; an empty password means an open network. */
export interface WiFiChoice {
  readonly ssid: string;
  readonly password: string;
  /** Of the only access point to join; empty: any. */
  readonly bssid: string;
}

/** What the station needs from the radio. Never throws. */
export interface StationRadio {
  readonly link: Link;
  /** The last attempt failed because of a wrong password, as far as the platform can tell. */
  readonly rejected: boolean;
  readonly scanning: boolean;
  /** The last scan found the configured network. */
  readonly seen: boolean;
  /** False: joining could not be started. */
  join(choice: WiFiChoice): boolean;
  /** Aborts an attempt or disconnects. */
  leave(): void;
  /** Starts a scan that also looks for the configured network. False: it could not be started. */
  scan(now: number, choice: WiFiChoice): boolean;
}

type State = "off" | "waiting" | "joining" | "scanning" | "online";

/**
 * Keeps the configured Wi-Fi joined: retries forever with exponential back-off, and finds out why an attempt failed. Independent of
 * platform and clock: call `step` with the ticks (ms, wrapping) at least once a second.
 */
export class Station {
  private readonly radio: StationRadio;
  private readonly settings: { readonly network: WiFiChoice };
  state: State = "off";
  /** Ticks at which the state began. */
  private since = 0;
  private pause = 0;
  private backOff = MIN_BACK_OFF;
  reason: JoinFailure = "";

  constructor(radio: StationRadio, settings: { readonly network: WiFiChoice }) {
    this.radio = radio;
    this.settings = settings;
  }

  get online(): boolean {
    return this.state === "online";
  }

  /** Another network or password was configured: starts over. */
  restart(now: number): void {
    if (this.state === "off") return;
    this.radio.leave();
    this.reason = "";
    this.backOff = MIN_BACK_OFF;
    // The old connection's end is reported late: an attempt started at once would be taken for failed.
    this.wait(now, MIN_BACK_OFF);
  }

  /** `wanted`: a Wi-Fi is configured and Ethernet is not available. */
  step(now: number, wanted: boolean): void {
    if (!wanted) {
      if (this.state === "off") return;
      this.radio.leave();
      this.reason = "";
      this.backOff = MIN_BACK_OFF;
      this.enter("off", now);
      return;
    }
    const elapsed = (now - this.since) | 0;
    switch (this.state) {
      case "off":
        this.wait(now, 0);
        this.waited(now, 0);
        break;
      case "waiting":
        this.waited(now, elapsed);
        break;
      case "joining":
        this.joining(now, elapsed);
        break;
      case "scanning":
        if (!this.radio.scanning) this.failed(now, this.radio.seen ? "timeout" : "not-found");
        break;
      case "online":
        this.stay(now, elapsed);
        break;
    }
  }

  private waited(now: number, elapsed: number): void {
    if (elapsed < this.pause || this.radio.scanning) return;
    if (this.radio.join(this.settings.network)) this.enter("joining", now);
    else this.failed(now, this.reason || "timeout");
  }

  private joining(now: number, elapsed: number): void {
    const { link, rejected } = this.radio;
    if (link === LINK.online) {
      this.reason = "";
      this.enter("online", now);
      return;
    }
    if (link !== LINK.down && elapsed < JOIN_TIMEOUT) return;
    // Also clears the platform's failure code.
    this.radio.leave();
    if (rejected) this.failed(now, "wrong-password");
    else if (link !== LINK.down || !this.radio.scan(now, this.settings.network)) this.failed(now, "timeout");
    else this.enter("scanning", now);
  }

  private stay(now: number, elapsed: number): void {
    const { link } = this.radio;
    if (link === LINK.online) {
      // After 24 days the tick difference goes negative for as long; the back-off has been reset by then.
      if (elapsed >= STABLE_AFTER) this.backOff = MIN_BACK_OFF;
    } else if (link === LINK.down) {
      this.pauseNow(now);
    } else {
      this.enter("joining", now);
    }
  }

  private failed(now: number, reason: JoinFailure): void {
    this.reason = reason;
    this.pauseNow(now);
  }

  private pauseNow(now: number): void {
    this.wait(now, this.backOff);
    this.backOff = Math.min(2 * this.backOff, MAX_BACK_OFF);
  }

  private wait(now: number, pause: number): void {
    this.pause = pause;
    this.enter("waiting", now);
  }

  private enter(state: State, now: number): void {
    this.state = state;
    this.since = now;
  }
}
