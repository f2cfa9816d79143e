import Time from "time";
import Timer from "timer";
import { once, type Timed } from "../parts/timers";
import { OFFLINE_POLLS, OFFLINE_TIME } from "./limits";

/** Seconds: 2^31 ms are 24 days. */
const TICKS_GOOD = 86_400;

/** Who wants to know whether the BMS is there. */
export interface PresenceOwner {
  /** Seconds since the start. */
  readonly uptime: number;
  /** With a good poll, before `succeeded` returns. */
  wentOnline(): void;
  /** By a timer as well. Throws nothing. */
  wentOffline(): void;
}

/**
 * Whether the BMS is there, by how its telemetry polls end, and how old its telemetry is: online with the first good
 * poll, offline after OFFLINE_POLLS without one and OFFLINE_TIME.
 */
export class Presence implements Timed {
  private readonly owner: PresenceOwner;
  private _online = false;
  private failedPolls = 0;
  private lastValid = 0;
  /** The uptime then, s. */
  private updatedAt: number | undefined;
  private _polls = 0;
  private _lostPolls = 0;
  private timer: Timer | undefined;

  constructor(owner: PresenceOwner) {
    this.owner = owner;
  }

  get online(): boolean {
    return this._online;
  }

  /** Whole seconds since the last good poll. Undefined before the first. */
  get seconds(): number | undefined {
    return this.updatedAt === undefined ? undefined : this.owner.uptime - this.updatedAt;
  }

  /** The same in milliseconds, as exactly as the ticks tell it until they come round. */
  get milliseconds(): number | undefined {
    const { seconds } = this;
    if (seconds === undefined) return undefined;
    return seconds > TICKS_GOOD ? seconds * 1000 : (Time.ticks - this.lastValid) | 0;
  }

  /** Polls since the start, as many as have ended. */
  get polls(): number {
    return this._polls;
  }

  /** Those of them that ended without a valid reply. */
  get lostPolls(): number {
    return this._lostPolls;
  }

  /** A poll has ended with a valid reply. */
  succeeded(): void {
    this._polls++;
    this.failedPolls = 0;
    this.lastValid = Time.ticks;
    this.updatedAt = this.owner.uptime;
    if (this._online) return;
    this._online = true;
    this.owner.wentOnline();
  }

  /** A poll has ended without one. */
  failed(): void {
    this._polls++;
    this._lostPolls++;
    this.failedPolls++;
    this.check();
  }

  /** The BMS is offline now, if it was not: it is no longer asked. */
  end(): void {
    if (!this._online) return;
    Timer.clear(this.timer);
    this.timer = undefined;
    this._online = false;
    this.owner.wentOffline();
  }

  /** By the timer: the time is over, the polls may have become good again. */
  tick(): void {
    this.timer = undefined;
    this.check();
  }

  /** When the polls are through first, a timer waits for the time and looks again. */
  private check(): void {
    if (!this._online || this.failedPolls < OFFLINE_POLLS) return;
    const left = OFFLINE_TIME - ((Time.ticks - this.lastValid) | 0);
    if (left <= 0) this.end();
    else this.timer ??= once(this, left);
  }
}
