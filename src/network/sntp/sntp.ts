import Time from "time";
import Timer from "timer";
import { repeat, type Timed } from "../../runtime/timers";
import type { GroupName, Settings, SettingsObserver } from "../../settings/types";
import { BUILT } from "./built";
import { WallClock } from "./clock";
import { Lookup, type LookupParts } from "../lookup";
import {
  AGREEING,
  MAX_AGE,
  MAX_STEP,
  MAX_TIME_BACK_OFF,
  MIN_TIME_BACK_OFF,
  STEP_INTERVAL,
  TIME_AGAIN,
  TIME_IN_STEP,
  TIME_INTERVAL,
  TIME_TIMEOUT,
} from "../limits";
import { type RequestOwner, SntpRequest } from "./request";
import type { ManagedNetwork, NetworkObserver, TimeProblem } from "../types";

export interface SntpOptions extends LookupParts {
  readonly clock: WallClock;
  readonly events: { add(text: "clock-doubtful"): void };
  readonly settings: Pick<Settings, "time" | "observe">;
  readonly network: Pick<ManagedNetwork, "dns1" | "dns2" | "online" | "observe"> & {
    /** From DHCP; empty: none. */
    readonly timeServer: string;
  };
}

type State = "off" | "waiting" | "resolving" | "requesting";

/** Keeps the clock synchronized by SNTP (RFC 4330): asks when the network comes up, then every hour; retries with exponential back-off. */
export class Sntp implements RequestOwner, NetworkObserver, SettingsObserver, Timed {
  private readonly device: SntpOptions;
  private readonly timer: Timer;
  /** Why the last request failed; empty if it did not, or none was made. */
  problem: TimeProblem | "" = "";
  private state: State = "off";
  /** Ticks at which the state began, and its time-out. */
  private since = 0;
  private delay = 0;
  private backOff = MIN_TIME_BACK_OFF;
  /** Of the servers the one that is asked: the next after a failure. */
  private turn = 0;
  private lookup: Lookup | undefined;
  private request: SntpRequest | undefined;
  /** As the last answer that was far from the clock has it. */
  private readonly doubted = new WallClock();
  /** It is known that no answer is believed. */
  isDoubted = false;
  /** Time of the last answer, seconds since 1970. */
  private answeredAt: number | undefined;

  constructor(device: SntpOptions) {
    this.device = device;
    this.restart();
    this.timer = repeat(this, STEP_INTERVAL);
    device.settings.observe(this);
    device.network.observe(this);
  }

  get part(): string {
    return "time";
  }

  /** Seconds since the last answer; undefined before the first of this server. */
  get age(): number | undefined {
    const now = this.device.clock.now();
    return now === undefined || this.answeredAt === undefined ? undefined : now - this.answeredAt;
  }

  /** A server keeps the clock right. */
  get inStep(): boolean {
    const { age } = this;
    return age !== undefined && age < TIME_IN_STEP;
  }

  /** The last answer says nothing about another server, nor about a clock that the owner has set. */
  forget(): void {
    this.answeredAt = undefined;
  }

  settingsChanged(group: GroupName): void {
    if (group !== "time") return;
    this.forget();
    this.restart();
  }

  networkChanged(): void {
    if (this.device.network.online !== (this.state !== "off")) this.restart();
  }

  close(): void {
    Timer.clear(this.timer);
    this.end();
  }

  tick(): void {
    this.device.clock.keep();
    if (this.state === "off" || ((Time.ticks - this.since) | 0) < this.delay) return;
    if (this.state === "waiting") this.resolve();
    else this.failed(this.state === "requesting" ? "no-answer" : "unknown-host");
  }

  answered(utc: number): void {
    const { clock } = this.device;
    const roundTrip = (Time.ticks - this.since) | 0;
    const time = utc + Math.floor(roundTrip / 2);
    if (!this.believes(time / 1000) || !clock.adjust(time)) return this.failed("doubtful");
    this.answeredAt = clock.now();
    this.problem = "";
    this.isDoubted = false;
    this.end();
    this.backOff = MIN_TIME_BACK_OFF;
    this.enter("waiting", TIME_INTERVAL);
  }

  /** Whether `time`, seconds since 1970, can be, and is near the running clock, or the answer before said the same: of this server, or of another. */
  private believes(time: number): boolean {
    if (time < BUILT || time >= BUILT + MAX_AGE) return false;
    const { clock } = this.device;
    const { doubted } = this;
    const now = clock.now();
    if (now === undefined || Math.abs(time - now) <= MAX_STEP) return true;
    const before = doubted.now();
    doubted.set(1000 * time);
    return before !== undefined && Math.abs(time - before) <= AGREEING;
  }

  refused(): void {
    this.backOff = MAX_TIME_BACK_OFF;
    this.failed("refused");
  }

  /** Asks at once. */
  restart(): void {
    const { network, settings } = this.device;
    this.end();
    this.problem = "";
    this.backOff = MIN_TIME_BACK_OFF;
    this.turn = 0;
    this.enter(network.online && settings.time.server ? "waiting" : "off", 0);
  }

  private resolve(): void {
    this.enter("resolving", TIME_TIMEOUT);
    const lookup = new Lookup("time", this.device, this.server, (address) => {
      this.lookup = undefined;
      if (address) this.requestFrom(address);
      else this.failed("unknown-host");
    });
    if (this.state === "resolving") this.lookup = lookup;
  }

  /** Of the settings, or what DHCP tells. */
  private get server(): string {
    const { network, settings } = this.device;
    const { server, server2 } = settings.time;
    const servers = [server, server2, network.timeServer].filter((name) => name);
    return servers[this.turn % servers.length] as string;
  }

  private requestFrom(address: string): void {
    this.enter("requesting", TIME_TIMEOUT);
    try {
      this.request = new SntpRequest(this, address, this.device.udp);
      this.request.send();
    } catch {
      // No socket, or no route: to be tried again like a server that does not answer.
      this.failed("no-answer");
    }
  }

  private failed(problem: TimeProblem): void {
    this.end();
    // It answers: the second answer is not waited for as one from a silent server is.
    if (problem === "doubtful") {
      this.backOff = this.problem === problem ? Math.max(this.backOff, TIME_AGAIN) : TIME_AGAIN;
      if (!this.isDoubted) this.device.events.add("clock-doubtful");
      this.isDoubted = true;
    }
    this.problem = problem;
    this.turn++;
    this.enter("waiting", this.backOff);
    this.backOff = Math.min(2 * this.backOff, MAX_TIME_BACK_OFF);
  }

  private enter(state: State, delay: number): void {
    this.state = state;
    this.since = Time.ticks;
    this.delay = delay;
  }

  private end(): void {
    this.lookup?.close();
    this.lookup = undefined;
    this.request?.close();
    this.request = undefined;
  }
}
