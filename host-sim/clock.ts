/**
 * Discrete-event clock of a simulated board, in virtual milliseconds since power-on.
 *
 * Every event runs in order at exactly its scheduled virtual time, however late the host is. A busy CI machine
 * therefore never loses a byte that the device would not have lost, and without pacing the same code runs as fast as
 * the host allows.
 */
export interface ClockEvent {
  readonly at: number;
  readonly sequence: number;
  callback: (() => void) | undefined;
}

/** Maximum delay of the host's timers; a longer one would fire immediately. */
const LONGEST_TIMEOUT = 0x7fffffff;
/**
 * Real ms that virtual time makes up for at once when the host is late. Beyond it, virtual time has stood still: otherwise a host that
 * cannot keep up would run one event after another, and no socket would get a turn before its deadline in virtual time.
 */
export const MOST_LATE = 100;

interface Pace {
  readonly realStart: number;
  virtualStart: number;
  readonly factor: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class Clock {
  #now = 0;
  #sequence = 0;
  /** Sorted by time, then by scheduling order; the next event is last. */
  readonly #events: ClockEvent[] = [];
  #pace: Pace | undefined;
  #running = false;

  /** Virtual milliseconds since power-on (with fractions). */
  get now(): number {
    return this.#now;
  }

  /** Time of the next event. */
  get next(): number | undefined {
    return this.#events.at(-1)?.at;
  }

  /**
   * Schedules `callback` at virtual time `at` (now, if in the past). Events at the same time run in scheduling order.
   */
  at(at: number, callback: () => void): ClockEvent {
    const event: ClockEvent = { at: Math.max(at, this.#now), sequence: this.#sequence++, callback };
    // As most often, the next one.
    if (event.at < (this.next ?? Infinity)) {
      this.#events.push(event);
      this.#arm();
      return event;
    }
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#events[middle] as ClockEvent;
      if (other.at > event.at) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
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

  /** Without pacing: runs all events up to `until`, then stays at `until`. Does nothing when called from an event. */
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

  /** Starts pacing: virtual time follows real time, times `factor`, as far as the host keeps up. */
  start(factor = 1): void {
    this.stop();
    this.#pace = { realStart: performance.now(), virtualStart: this.#now, factor, timer: undefined };
    this.#arm();
  }

  /** Stops virtual time; the clock no longer keeps the process alive. */
  stop(): void {
    clearTimeout(this.#pace?.timer);
    this.#pace = undefined;
  }

  /**
   * Handles external input (a socket, a pty): catches up with real time, then runs `callback` at that time. When called
   * from an event, the callback runs after earlier due events.
   */
  external(callback: () => void): void {
    const now = this.#realNow();
    this.at(now, callback);
    this.runUntil(now);
  }

  /** Measured from the start rather than the last event, so that late host timers do not accumulate an error. */
  #realNow(): number {
    const pace = this.#pace;
    if (!pace) return this.#now;
    const now = pace.virtualStart + (performance.now() - pace.realStart) * pace.factor;
    const lost = now - (this.next ?? now) - MOST_LATE * pace.factor;
    if (lost > 0) pace.virtualStart -= lost;
    return Math.max(this.#now, now - Math.max(0, lost));
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
 * The single script thread: callbacks run one at a time, and none while the script is busy. `busyFor` consumes the time
 * that the device's slower processor would need.
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

  /** Delivers `callback` to the script now or as soon as it is free, never within the call of `post`. */
  post(callback: () => void): void {
    if (this.#stopped) return;
    this.#waiting.push(callback);
    this.#plan();
  }

  /** When it is or was no longer busy. */
  get freeAt(): number {
    return this.#freeAt;
  }

  /** Extends the script's busy time by `duration` ms. */
  busyFor(duration: number): void {
    this.#freeAt = Math.max(this.#freeAt, this.clock.now) + duration;
  }

  /** At power-off: pending callbacks are dropped. */
  stop(): void {
    this.#stopped = true;
    this.#waiting = [];
    this.clock.cancel(this.#planned);
  }

  #plan(): void {
    if (this.#planned || !this.#waiting.length) return;
    this.#planned = this.clock.at(this.#freeAt, () => {
      this.#planned = undefined;
      // The script may have become busy since this was scheduled.
      const callback = this.#freeAt > this.clock.now ? undefined : this.#waiting.shift();
      try {
        callback?.();
      } finally {
        this.#plan();
      }
    });
  }
}
