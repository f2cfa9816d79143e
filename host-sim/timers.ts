import type { Clock, ClockEvent } from "./clock";

/** The part of the board that the timers need. */
export interface Poster {
  readonly clock: Clock;
  post(callback: () => void): void;
}

export interface TimerRecord {
  readonly callback: (timer: TimerRecord) => void;
  /** For timers of the same `together` that are due one after another, in place of their callbacks. Calls `begin` and `end` for each. */
  readonly together: ((due: readonly TimerRecord[]) => void) | undefined;
  /** Milliseconds since power-on. */
  trigger: number;
  /** 0: fires once. -1: not scheduled, kept. */
  repeat: number;
  scheduled: boolean;
  firing: boolean;
  alive: boolean;
}

/** Tolerance for rounding errors of sums of fractions, ms. */
const ROUNDING = 1e-6;

/**
 * The SDK's timers: a list walked in creation order, by whole milliseconds of the tick counter. So a timer may fire up
 * to a millisecond early (29.1 ms after being set for 30), and of two overdue timers the one created first fires first.
 */
export class Timers {
  readonly #board: Poster;
  readonly #poweredAt: number;
  #list: TimerRecord[] = [];
  #planned: ClockEvent | undefined;
  #posted = false;

  constructor(board: Poster) {
    this.#board = board;
    this.#poweredAt = board.clock.now;
  }

  /** Whole milliseconds since power-on. */
  get uptime(): number {
    return Math.floor(this.#board.clock.now - this.#poweredAt + ROUNDING);
  }

  /** Number of existing timers. */
  get count(): number {
    return this.#list.length;
  }

  add(
    callback: TimerRecord["callback"],
    delay: number,
    repeat: number,
    together?: TimerRecord["together"],
  ): TimerRecord {
    const trigger = this.uptime + delay;
    const timer = { callback, together, trigger, repeat, scheduled: true, firing: false, alive: true };
    this.#list.push(timer);
    this.#plan();
    return timer;
  }

  reschedule(timer: TimerRecord, delay: number, repeat: number): void {
    timer.trigger = this.uptime + delay;
    timer.repeat = repeat;
    timer.scheduled = true;
    this.#plan();
  }

  unschedule(timer: TimerRecord): void {
    timer.scheduled = false;
    timer.firing = false;
    timer.repeat = -1;
  }

  remove(timer: TimerRecord): void {
    timer.alive = false;
    timer.scheduled = false;
    timer.firing = false;
    this.#list = this.#list.filter((other) => other !== timer);
  }

  stop(): void {
    for (const timer of this.#list) timer.alive = false;
    this.#list = [];
    this.#board.clock.cancel(this.#planned);
  }

  #plan(): void {
    this.#board.clock.cancel(this.#planned);
    this.#planned = undefined;
    if (this.#posted) return;
    const next = this.#list.reduce(
      (first, { scheduled, trigger }) => Math.min(first, scheduled ? trigger : first),
      Infinity,
    );
    if (next === Infinity) return;
    this.#planned = this.#board.clock.at(this.#poweredAt + next, () => {
      this.#planned = undefined;
      this.#posted = true;
      this.#board.post(() => this.#execute());
    });
  }

  /** To be called before the callback of a timer that is due. */
  begin(timer: TimerRecord): void {
    timer.firing = false;
    timer.trigger += timer.repeat;
  }

  /** To be called after it. */
  end(timer: TimerRecord): void {
    if (timer.repeat === 0) this.remove(timer);
  }

  #fire(timer: TimerRecord): void {
    this.begin(timer);
    try {
      timer.callback(timer);
    } finally {
      this.end(timer);
    }
  }

  #execute(): void {
    // Timers added or rescheduled by the callbacks wait for the next round.
    const now = this.uptime;
    const due = this.#list.filter((timer) => timer.scheduled && timer.trigger <= now);
    for (const timer of due) timer.firing = true;
    try {
      while (due.length) {
        const { together } = due[0]!;
        const others = together ? due.findIndex((timer) => timer.together !== together) : 1;
        const batch = due.splice(0, others < 0 ? due.length : others).filter(({ firing }) => firing);
        if (batch.length > 1) together!(batch);
        else if (batch[0]) this.#fire(batch[0]);
      }
    } finally {
      this.#posted = false;
      this.#plan();
    }
  }
}
