import { heap } from "application";
import Time from "time";
import Timer from "timer";
import { repeat, type Timed } from "../runtime/timers";
import { MEMORY_LOOKS, MIN_BLOCK, MIN_FREE, POLL_LIMIT, STABLE_AFTER, SUPERVISION_INTERVAL } from "./limits";
import type { Cause } from "./types";

/** Arguments of `heap`. */
const FREE = 0;
const BLOCK = 2;

/** What the supervisor watches. */
export interface SupervisedDevice {
  readonly start: { readonly safe: boolean };
  readonly monitor: {
    /** Nothing is sent. */
    readonly listening: boolean;
    /** Undefined while the port cannot be opened. */
    readonly bus: object | undefined;
    /** Since boot. */
    readonly pollsBegun: number;
  };
  readonly settings: { readonly bms: { readonly interval: number } };
  readonly server: { readonly listening: boolean };
  readonly conditions: { look(): void };
  /** Seconds since start. */
  uptime(): number;
  /** Restarts the unhealthy device. */
  restartFor(cause: Cause): void;
  /** Called once the device has run for STABLE_AFTER. */
  settled(): void;
}

/**
 * Restarts a device that runs but does not work: no BMS polls, no HTTP listener, or the system is short of memory. It
 * runs on the script's timers; if those stall, the chip's task watchdog resets the device.
 */
export class Supervisor implements Timed {
  private readonly device: SupervisedDevice;
  private readonly timer: Timer;
  private readonly started = Time.ticks;
  private settling = true;
  private polls: number | undefined;
  /** Time of the last change of `polls`, ticks. */
  private polledAt = this.started;
  private scarce = 0;
  /** Ticks of the last check. */
  private checkedAt = this.started;

  constructor(device: SupervisedDevice) {
    this.device = device;
    this.timer = repeat(this, SUPERVISION_INTERVAL);
  }

  get part(): string {
    return "supervisor";
  }

  close(): void {
    Timer.clear(this.timer);
  }

  tick(): void {
    const { device } = this;
    const now = Time.ticks;
    // After a stall the SDK makes up for missed ticks, all at one moment.
    if (((now - this.checkedAt) | 0) < SUPERVISION_INTERVAL / 2) return;
    this.checkedAt = now;
    // Must be read now and then; in safe mode nothing else does so without a request.
    device.uptime();
    device.conditions.look();
    const cause = this.ill(now);
    if (cause) {
      this.close();
      device.restartFor(cause);
    } else if (this.settling && ((now - this.started) | 0) >= STABLE_AFTER) {
      this.settling = false;
      device.settled();
    }
  }

  /** Undefined where no polls are expected: in safe mode, while only listening, and while the port cannot be opened, which a restart would not change. */
  private get pollsBegun(): number | undefined {
    const { start, monitor } = this.device;
    return start.safe || monitor.listening || !monitor.bus ? undefined : monitor.pollsBegun;
  }

  private ill(now: number): Cause | undefined {
    const { settings, server } = this.device;
    const { pollsBegun } = this;
    if (pollsBegun !== this.polls) {
      this.polls = pollsBegun;
      this.polledAt = now;
    } else if (pollsBegun !== undefined && ((now - this.polledAt) | 0) > POLL_LIMIT + settings.bms.interval)
      return "no-poll";
    if (!server.listening) return "no-listener";
    this.scarce = isScarce() ? this.scarce + 1 : 0;
    return this.scarce >= MEMORY_LOOKS ? "low-memory" : undefined;
  }
}

function isScarce(): boolean {
  const free = heap(FREE);
  const block = heap(BLOCK);
  return (free !== undefined && free < MIN_FREE) || (block !== undefined && block < MIN_BLOCK);
}
