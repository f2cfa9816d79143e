import Time from "time";
import Timer from "timer";
import { once, type Timed } from "../runtime/timers";
import { MAX_CYCLE, OFFLINE_CYCLES, OFFLINE_LISTENING, USUAL_CYCLE } from "./limits";

/** Ages up to this, s, are measured in ticks, which wrap after 2^31 ms (24 days). */
const TICKS_GOOD = 86_400;

/**
 * Derives the online state and telemetry age from the results of the telemetry polls: online after the first good poll, offline when the
 * schedule's patience ends. While another master is listened to, what it is answered counts instead: offline after OFFLINE_CYCLES of its
 * cycles and OFFLINE_LISTENING.
 */
export abstract class Presence implements Timed {
  online = false;
  /** Polls in a row without a valid reply. */
  failures = 0;
  private lastValid = 0;
  /** Uptime at the last good poll, s. */
  private updatedAt: number | undefined;
  /** Polls completed since boot. */
  polls = 0;
  /** Completed polls without a valid reply. */
  lostPolls = 0;
  private timer: Timer | undefined;
  /** Smoothed time between two replies to the other master, ms; 0: not measured. */
  private measured = 0;
  /** A reply to it has been heard. */
  private isHeard = false;

  /** Seconds since boot. */
  abstract get uptime(): number;
  /** See PollSchedule. */
  abstract patience(failures: number): number;
  /** Presence follows the replies to the other master, not our polls. */
  abstract get listening(): boolean;
  /** Called on a successful poll, before `succeeded` returns. */
  abstract wentOnline(): void;
  /** May be called from a timer. Must not throw. */
  abstract wentOffline(): void;

  /** Whole seconds since the last good poll; undefined before the first. */
  get seconds(): number | undefined {
    const { milliseconds } = this;
    return milliseconds === undefined ? undefined : Math.floor(milliseconds / 1000);
  }

  /** The same in milliseconds; to the second when older than a day. */
  get milliseconds(): number | undefined {
    if (this.updatedAt === undefined) return undefined;
    const seconds = this.uptime - this.updatedAt;
    return seconds > TICKS_GOOD ? seconds * 1000 : (Time.ticks - this.lastValid) | 0;
  }

  /** ms between two replies to the other master. */
  get overheardCycle(): number {
    return this.measured || USUAL_CYCLE;
  }

  /** `listening` has changed. */
  listeningChanged(): void {
    this.measured = this.failures = 0;
    this.isHeard = false;
    // The other master may never ask this pack.
    if (this.online) this.check();
  }

  /** Another master has been answered. */
  answeredOther(): void {
    const interval = (Time.ticks - this.lastValid) | 0;
    // Of a master that speaks once a minute it is offline when the second reply comes.
    if (this.isHeard && (this.online || !this.measured) && interval > 0 && interval < MAX_CYCLE)
      this.measured = this.measured ? Math.round((3 * this.measured + interval) / 4) : interval;
    this.isHeard = true;
    this.updated();
    this.check();
  }

  /** A poll ended with a valid reply. */
  succeeded(): void {
    this.polls++;
    this.failures = 0;
    this.updated();
  }

  private updated(): void {
    this.lastValid = Time.ticks;
    this.updatedAt = this.uptime;
    if (this.online) return;
    this.online = true;
    this.wentOnline();
  }

  /** A poll ended without a valid reply. */
  failed(): void {
    this.polls++;
    this.lostPolls++;
    this.failures++;
    this.check();
  }

  /** Goes offline if online: polling has stopped. */
  end(): void {
    if (!this.online) return;
    Timer.clear(this.timer);
    this.timer = undefined;
    this.online = false;
    this.wentOffline();
  }

  /** The time has passed; a poll may have succeeded since. */
  tick(): void {
    this.timer = undefined;
    this.check();
  }

  /** If there are enough failures before the time has passed, a timer repeats the check; without memory for one, the next poll does. */
  check(): void {
    if (!this.online) return;
    const { listening } = this;
    if (!listening && !this.failures) return;
    const limit = listening
      ? Math.max(OFFLINE_CYCLES * this.overheardCycle, OFFLINE_LISTENING)
      : this.patience(this.failures);
    if (limit === Infinity) return;
    const left = limit - ((Time.ticks - this.lastValid) | 0);
    if (left <= 0) this.end();
    else if (!this.timer)
      try {
        this.timer = once(this, left);
      } catch (error) {
        trace(`bms: no timer: ${String(error)}\n`);
      }
  }
}
