/**
 * The time of a simulated board: a discrete-event clock in virtual milliseconds since power-on.
 *
 * Every event runs at exactly the virtual time it was planned for, in order, however late the host gets round to it. So a busy CI
 * machine never loses a byte that the device would not have lost, and without pacing the same code runs as fast as the host can.
 */
export interface ClockEvent {
  readonly at: number;
  readonly sequence: number;
  callback: (() => void) | undefined;
}

/** The longest delay Node's timers take; a longer one would fire at once. */
const LONGEST_TIMEOUT = 0x7fffffff;

interface Pace {
  readonly realStart: number;
  readonly virtualStart: number;
  readonly factor: number;
  timer: NodeJS.Timeout | undefined;
}

export class Clock {
  #now = 0;
  #sequence = 0;
  /** Sorted by time, then by order of planning; the next one last. */
  readonly #events: ClockEvent[] = [];
  #pace: Pace | undefined;
  #running = false;

  /** Virtual milliseconds since power-on (with fractions). */
  get now(): number {
    return this.#now;
  }

  /** When the next event is planned for. */
  get next(): number | undefined {
    return this.#events.at(-1)?.at;
  }

  /** Plans `callback` for virtual time `at` (now, when that has passed). Events of the same time run in the order of planning. */
  at(at: number, callback: () => void): ClockEvent {
    const event: ClockEvent = { at: Math.max(at, this.#now), sequence: this.#sequence++, callback };
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#events[middle] as ClockEvent;
      if (other.at > event.at) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
    if (low === this.#events.length - 1) this.#arm();
    return event;
  }

  after(delay: number, callback: () => void): ClockEvent {
    return this.at(this.#now + delay, callback);
  }

  cancel(event: ClockEvent | undefined): void {
    if (!event?.callback) return;
    event.callback = undefined;
    const index = this.#events.lastIndexOf(event);
    if (index >= 0) this.#events.splice(index, 1);
  }

  /** Unpaced: runs everything planned up to `until`, then stands at `until`. Called by an event it does nothing. */
  runUntil(until: number): void {
    if (this.#running) return;
    this.#running = true;
    try {
      for (let next = this.#events.at(-1); next && next.at <= until; next = this.#events.at(-1)) {
        this.#events.pop();
        this.#now = next.at;
        const { callback } = next;
        next.callback = undefined;
        callback?.();
      }
      this.#now = Math.max(this.#now, until);
    } finally {
      this.#running = false;
      this.#arm();
    }
  }

  runFor(duration: number): void {
    this.runUntil(this.#now + duration);
  }

  /** From now on virtual time keeps pace with real time, or runs `factor` times as fast. */
  start(factor = 1): void {
    this.stop();
    this.#pace = { realStart: performance.now(), virtualStart: this.#now, factor, timer: undefined };
    this.#arm();
  }

  /** Virtual time stands still from here on; nothing of the clock keeps the process alive. */
  stop(): void {
    clearTimeout(this.#pace?.timer);
    this.#pace = undefined;
  }

  /**
   * Something came from outside (a socket, a pty): catches up with real time, then runs `callback` at that time. Called by an event, the
   * callback runs after the events that are due before it.
   */
  external(callback: () => void): void {
    const now = this.#realNow();
    this.at(now, callback);
    this.runUntil(now);
  }

  /** Counted from the start, not from the last event: late timers of the host add up to nothing. */
  #realNow(): number {
    const pace = this.#pace;
    if (!pace) return this.#now;
    return Math.max(this.#now, pace.virtualStart + (performance.now() - pace.realStart) * pace.factor);
  }

  #arm(): void {
    const pace = this.#pace;
    if (!pace || this.#running) return;
    clearTimeout(pace.timer);
    const next = this.#events.at(-1);
    if (!next) return;
    const delay = Math.ceil(Math.max(0, next.at - this.#realNow()) / pace.factor);
    pace.timer = setTimeout(() => this.runUntil(this.#realNow()), Math.min(delay, LONGEST_TIMEOUT));
  }
}

/**
 * The one thread of the script: callbacks run one at a time, none while the script is busy. `busyFor` is how a simulated board spends
 * the time that the device's slower processor would need.
 */
export class Script {
  readonly clock: Clock;
  #freeAt = 0;
  #waiting: (() => void)[] = [];
  #planned: ClockEvent | undefined;
  #stopped = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Delivers `callback` to the script: now, or as soon as it is free; never inside the call of `post`. */
  post(callback: () => void): void {
    if (this.#stopped) return;
    this.#waiting.push(callback);
    this.#plan();
  }

  /** Keeps the script busy for `duration` ms on top of what it is busy with. */
  busyFor(duration: number): void {
    this.#freeAt = Math.max(this.#freeAt, this.clock.now) + duration;
  }

  /** The power is gone: what waits is never delivered. */
  stop(): void {
    this.#stopped = true;
    this.#waiting = [];
    this.clock.cancel(this.#planned);
  }

  #plan(): void {
    if (this.#planned || !this.#waiting.length) return;
    this.#planned = this.clock.at(this.#freeAt, () => {
      this.#planned = undefined;
      // Busy since this was planned.
      const callback = this.#freeAt > this.clock.now ? undefined : this.#waiting.shift();
      try {
        callback?.();
      } finally {
        this.#plan();
      }
    });
  }
}
