import Time from "time";
import Timer from "timer";
import { once, type Timed } from "../parts/timers";
import { OFFLINE_POLLS, OFFLINE_TIME } from "./limits";

/** Ages up to this, s, are measured in ticks, which wrap after 2^31 ms (24 days). */
const TICKS_GOOD = 86_400;

/** Receives the changes of the online state. */
export interface PresenceOwner {
  /** Seconds since boot. */
  readonly uptime: number;
  /** Called on a successful poll, before `succeeded` returns. */
  wentOnline(): void;
  /** May be called from a timer. Must not throw. */
  wentOffline(): void;
}

/**
 * Derives the online state and telemetry age from the results of the telemetry polls: online after the first good poll;
 * offline after OFFLINE_POLLS consecutive failures and OFFLINE_TIME without a good poll.
 */
export class Presence implements Timed {
  private readonly owner: PresenceOwner;
  private _online = false;
  private failedPolls = 0;
  private lastValid = 0;
  /** Uptime at the last good poll, s. */
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

  /** Whole seconds since the last good poll; undefined before the first. */
  get seconds(): number | undefined {
    const { milliseconds } = this;
    return milliseconds === undefined ? undefined : Math.floor(milliseconds / 1000);
  }

  /** The same in milliseconds; to the second when older than a day. */
  get milliseconds(): number | undefined {
    if (this.updatedAt === undefined) return undefined;
    const seconds = this.owner.uptime - this.updatedAt;
    return seconds > TICKS_GOOD ? seconds * 1000 : (Time.ticks - this.lastValid) | 0;
  }

  /** Polls completed since boot. */
  get polls(): number {
    return this._polls;
  }

  /** Completed polls without a valid reply. */
  get lostPolls(): number {
    return this._lostPolls;
  }

  /** A poll ended with a valid reply. */
  succeeded(): void {
    this._polls++;
    this.failedPolls = 0;
    this.lastValid = Time.ticks;
    this.updatedAt = this.owner.uptime;
    if (this._online) return;
    this._online = true;
    this.owner.wentOnline();
  }

  /** A poll ended without a valid reply. */
  failed(): void {
    this._polls++;
    this._lostPolls++;
    this.failedPolls++;
    this.check();
  }

  /** Goes offline if online: polling has stopped. */
  end(): void {
    if (!this._online) return;
    Timer.clear(this.timer);
    this.timer = undefined;
    this._online = false;
    this.owner.wentOffline();
  }

  /** OFFLINE_TIME has elapsed; a poll may have succeeded since. */
  tick(): void {
    this.timer = undefined;
    this.check();
  }

  /** If OFFLINE_POLLS is reached before OFFLINE_TIME, a timer repeats the check. */
  private check(): void {
    if (!this._online || this.failedPolls < OFFLINE_POLLS) return;
    const left = OFFLINE_TIME - ((Time.ticks - this.lastValid) | 0);
    if (left <= 0) this.end();
    else this.timer ??= once(this, left);
  }
}
