import Timer from "timer";
import type { EventText } from "../events/types";
import { repeat, type Timed } from "../parts/timers";
import { MAX_REASON, RETRY_PARTS } from "./limits";

/** The parts that can fail to start: in this order, the first ones in safe mode too. A failed one is tried again, unless it does so by itself. */
export const PARTS = Object.freeze(
  [
    "relay",
    "button",
    "led",
    "energy",
    "trial",
    "supervisor",
    "bms",
    "monitoring",
    "mqtt",
    "snmp",
    "mdns",
    "time",
  ] as const,
  true,
);
export type Startable = (typeof PARTS)[number];
/** The network starts with the device, and its Wi-Fi again by itself. */
export type PartName = Startable | "network";

/** The first part that safe mode leaves out. */
const NORMAL: Startable = "bms";

export interface PartsOwner {
  /** Starts the part; does nothing if it runs already. Throws if it cannot be started. */
  startPart(part: Startable): void;
  /** A part could not be started, for a new reason, or works after all: for the log. */
  partChanged(event: EventText): void;
}

const NONE: readonly EventText[] = Object.freeze([], true);

/** Starts the device's parts, each on its own: what one of them throws does not keep the others from starting, or end the script. */
export class Parts implements Timed {
  private readonly owner: PartsOwner;
  private readonly safe: boolean;
  private _problems = NONE;
  /** Those to be tried again; undefined: none. */
  private waiting: Set<Startable> | undefined;
  private timer: Timer | undefined;

  constructor(owner: PartsOwner, safe: boolean) {
    this.owner = owner;
    this.safe = safe;
  }

  /** The parts that do not work, each as an event: "part-failed\tbutton\tin use". */
  get problems(): readonly EventText[] {
    return this._problems;
  }

  /** Starts all parts from `first` on that the mode has, and before `end`. */
  start(first: Startable, end?: Startable): void {
    const last = end ?? (this.safe ? NORMAL : undefined);
    for (let at = PARTS.indexOf(first); at < PARTS.length && PARTS[at] !== last; at++)
      this.begin(PARTS[at] as Startable);
  }

  /** Starts a part, or finds out whether it still works. */
  begin(part: Startable): void {
    if (this.safe && PARTS.indexOf(part) >= PARTS.indexOf(NORMAL)) return;
    try {
      this.owner.startPart(part);
    } catch (error) {
      (this.waiting ??= new Set()).add(part);
      this.timer ??= repeat(this, RETRY_PARTS);
      return this.failed(part, error);
    }
    if (this.waiting?.delete(part)) this.works(part);
  }

  /** Called by a part that tries again by itself. */
  failed(part: PartName, error: unknown): void {
    const problem: EventText = `part-failed\t${part}\t${reasonOf(error)}`;
    if (this._problems.includes(problem)) return;
    this._problems = Object.freeze([...this.others(part), problem]);
    this.tell(problem);
  }

  works(part: PartName): void {
    const others = this.others(part);
    if (others.length === this._problems.length) return;
    this._problems = others;
    this.tell(`part-works\t${part}`);
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

  private others(part: PartName): readonly EventText[] {
    return this._problems.filter((problem) => !problem.startsWith(`part-failed\t${part}\t`));
  }

  private tell(event: EventText): void {
    trace(`${event.replaceAll("\t", " ")}\n`);
    this.owner.partChanged(event);
  }
}

/** Bounded, and without tabs, which separate the parameters of an event. */
function reasonOf(error: unknown): string {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return String(message ?? error)
    .slice(0, MAX_REASON)
    .replaceAll("\t", " ");
}
