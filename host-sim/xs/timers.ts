import type { Refusals } from "../refusals";
import type { TimerRecord, Timers } from "../timers";
import { EVENT } from "./protocol";

type Deliver = (event: number, id: number, value: number, bytes?: Uint8Array) => void;

/** The timers of the firmware on XS. Those that are due together cross the pipe in one delivery. */
export class FirmwareTimers {
  readonly #timers: Timers;
  readonly #refusals: Refusals;
  readonly #deliver: Deliver;
  readonly #opened = new Map<number, TimerRecord>();
  readonly #ids = new WeakMap<TimerRecord, number>();
  /** The one whose callback is running, of several that were delivered at once. */
  #firing: TimerRecord | undefined;
  /** False: each timer opened from now on has a delivery of its own, which can be measured. */
  together = true;

  constructor(timers: Timers, refusals: Refusals, deliver: Deliver) {
    this.#timers = timers;
    this.#refusals = refusals;
    this.#deliver = deliver;
  }

  get count(): number {
    return this.#opened.size;
  }

  open(id: number, delay: number, repeat: number): void {
    if (this.#refusals.refusesAllocation()) throw new Error("add failed");
    const together = this.together ? this.#fireAll : undefined;
    const timer = this.#timers.add(() => this.#fire(id, timer), delay, repeat, together);
    this.#ids.set(timer, id);
    this.#opened.set(id, timer);
  }

  schedule(id: number, delay: number, repeat: number): void {
    this.#timers.reschedule(this.#opened.get(id)!, delay, repeat);
  }

  unschedule(id: number): void {
    this.#timers.unschedule(this.#opened.get(id)!);
  }

  clear(id: number): void {
    const timer = this.#opened.get(id);
    if (timer) this.#timers.remove(timer);
    this.#opened.delete(id);
  }

  /** The firmware goes on to the callback of this one, of those delivered at once. */
  next(id: number): void {
    this.#end();
    this.#begin(this.#opened.get(id)!);
  }

  #begin(timer: TimerRecord): void {
    this.#firing = timer;
    this.#timers.begin(timer);
  }

  #end(): void {
    const timer = this.#firing;
    this.#firing = undefined;
    if (!timer) return;
    this.#timers.end(timer);
    this.#forgetSpent(timer);
  }

  #forgetSpent(timer: TimerRecord): void {
    if (timer.repeat === 0) this.#opened.delete(this.#ids.get(timer)!);
  }

  #fire(id: number, timer: TimerRecord): void {
    try {
      this.#deliver(EVENT.onTimer, id, 0);
    } finally {
      this.#forgetSpent(timer);
    }
  }

  /** A field, because the timers compare it. */
  readonly #fireAll = (due: readonly TimerRecord[]): void => {
    const ids = Buffer.alloc(4 * due.length);
    for (const [at, timer] of due.entries()) ids.writeUInt32BE(this.#ids.get(timer)!, 4 * at);
    this.#begin(due[0]!);
    try {
      this.#deliver(EVENT.onTimers, 0, due.length, ids);
    } finally {
      this.#end();
    }
  };
}
