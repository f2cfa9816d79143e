import Time from "time";
import Timer from "timer";
import type { EventText } from "../events/types";
import { repeat, type Timed } from "../runtime/timers";
import { FAULTS_WITHIN, MAX_REASON, RETRY_PARTS } from "./limits";

/** The parts that can fail to start: in this order, the first ones in safe mode too. A failed one is tried again, unless it does so by itself. */
export const PARTS = Object.freeze(
  [
    "relay",
    "pins",
    "button",
    "led",
    "network",
    "portal",
    "server",
    "token",
    "energy",
    "trial",
    "supervisor",
    "history",
    "bms",
    "monitoring",
    "mqtt",
    "snmp",
    "modbus",
    "syslog",
    "notify",
    "mdns",
    "time",
  ] as const,
  true,
);
export type Startable = (typeof PARTS)[number];
/** Wi-Fi, the listener of the server and the BMS are tried again by themselves. */
export type PartName = Startable | "Wi-Fi" | "listener";

/** The first part that safe mode leaves out. */
const NORMAL: Startable = "history";

/** Those that report safe mode to other systems, once a run in it has lasted. */
const REPORTING: readonly Startable[] = Object.freeze<Startable[]>(["mqtt", "snmp", "syslog", "notify", "time"], true);

export interface PartsOwner {
  /** Starts the part; does nothing if it runs already. Throws if it cannot be started. */
  startPart(part: Startable): void;
}

const NONE: readonly EventText[] = Object.freeze([], true);

/** Starts the device's parts, each on its own: what one of them throws does not keep the others from starting, or end the script. */
export class Parts implements Timed {
  readonly part = "supervisor";
  /** Gets an event when a part has failed, for a new reason, or works after all. Until there is a log, `problems` has them. */
  log: { add(event: EventText): void } | undefined;
  private readonly owner: PartsOwner;
  private readonly safe: boolean;
  private reports = false;
  /** The parts that do not work, each as an event: "part-failed\tbutton\tin use". */
  problems = NONE;
  /** Exceptions that callbacks of the platform have thrown since the start. */
  faults = 0;
  /** When the last two callbacks threw of what the device cannot be without, ticks. */
  private last: number | undefined;
  private before: number | undefined;
  /** Those to be tried again; undefined: none. */
  private waiting: Set<Startable> | undefined;
  private timer: Timer | undefined;

  constructor(owner: PartsOwner, safe: boolean) {
    this.owner = owner;
    this.safe = safe;
  }

  /** Starts all parts from `first` on that the mode has, and before `end`. */
  start(first: Startable, end?: Startable): void {
    const last = end ?? (this.safe ? NORMAL : undefined);
    for (let at = PARTS.indexOf(first); at < PARTS.length && PARTS[at] !== last; at++)
      this.begin(PARTS[at] as Startable);
  }

  /** In safe mode: a run has lasted long enough for a repair, so that what may end it, too, may run. */
  report(): void {
    this.reports = true;
    for (const part of REPORTING) this.begin(part);
  }

  /** Starts a part, or finds out whether it still works. */
  begin(part: Startable): void {
    if (this.safe && PARTS.indexOf(part) >= PARTS.indexOf(NORMAL) && !(this.reports && REPORTING.includes(part)))
      return;
    try {
      this.owner.startPart(part);
    } catch (error) {
      (this.waiting ??= new Set()).add(part);
      this.failed(part, error);
      return this.retry();
    }
    if (this.waiting?.delete(part)) this.works(part);
    if (this.waiting?.size) this.retry();
  }

  /** Called by a part that tries again by itself, or has thrown. */
  failed(part: string, error: unknown): void {
    const problem: EventText = `part-failed\t${part}\t${reasonOf(error)}`;
    if (this.problems.includes(problem)) return;
    this.problems = Object.freeze([...this.others(part), problem]);
    this.record(problem);
  }

  /** A callback of what the device cannot be without has thrown. @returns whether that was the third time within FAULTS_WITHIN */
  isThird(): boolean {
    const now = Time.ticks;
    const { before } = this;
    this.before = this.last;
    this.last = now;
    return before !== undefined && (now - before) >>> 0 < FAULTS_WITHIN;
  }

  works(part: PartName): void {
    const others = this.others(part);
    if (others.length === this.problems.length) return;
    this.problems = others;
    this.record(`part-works\t${part}`);
  }

  /** Tries the failed ones again. */
  tick(): void {
    for (const part of [...(this.waiting ?? [])]) this.begin(part);
    if (!this.waiting?.size) this.close();
  }

  close(): void {
    Timer.clear(this.timer);
    this.timer = this.waiting = undefined;
  }

  /** The platform may have no memory for the timer: then the next part that is begun tries again. */
  private retry(): void {
    try {
      this.timer ??= repeat(this, RETRY_PARTS);
    } catch (error) {
      trace(`parts: no timer: ${String(error)}\n`);
    }
  }

  private others(part: string): readonly EventText[] {
    return this.problems.filter((problem) => !problem.startsWith(`part-failed\t${part}\t`));
  }

  private record(event: EventText): void {
    trace(`${event.replaceAll("\t", " ")}\n`);
    this.log?.add(event);
  }
}

/** Bounded, and without tabs, which separate the parameters of an event. */
function reasonOf(error: unknown): string {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return String(message ?? error)
    .slice(0, MAX_REASON)
    .replaceAll("\t", " ");
}
