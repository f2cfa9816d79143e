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

export class Clock {
  #now = 0;
  #sequence = 0;
  /** Sorted by time, then by order of planning; the next one last. */
  readonly #events: ClockEvent[] = [];
  #pace: { realStart: number; virtualStart: number; timer: NodeJS.Timeout | undefined } | undefined;
  #running = false;

  /** Virtual milliseconds since power-on (with fractions). */
  get now(): number {
    return this.#now;
  }

  /** Plans `callback` for virtual time `at` (now, when that has passed). */
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
    if (!this.#running) this.#arm();
    return event;
  }

  after(delay: number, callback: () => void): ClockEvent {
    return this.at(this.#now + delay, callback);
  }

  cancel(event: ClockEvent | undefined): void {
    if (!event?.callback) return;
    event.callback = undefined;
    const index = this.#events.indexOf(event);
    if (index >= 0) this.#events.splice(index, 1);
  }

  /** Unpaced: runs everything planned up to `until`, then stands at `until`. */
  runUntil(until: number): void {
    if (this.#running) return;
    this.#running = true;
    try {
      for (let next = this.#events.at(-1); next && next.at <= until; next = this.#events.at(-1)) {
        this.#events.pop();
        this.#now = Math.max(this.#now, next.at);
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

  /** From now on virtual time keeps pace with real time. */
  start(): void {
    this.#pace ??= { realStart: performance.now(), virtualStart: this.#now, timer: undefined };
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#pace?.timer);
    this.#pace = undefined;
  }

  /** Something came from outside (a socket, a pty): catches up with real time, then runs `callback` at that time. */
  external(callback: () => void): void {
    this.at(this.#realNow(), callback);
    this.#catchUp();
  }

  #realNow(): number {
    const pace = this.#pace;
    return pace ? Math.max(this.#now, pace.virtualStart + performance.now() - pace.realStart) : this.#now;
  }

  #catchUp(): void {
    this.runUntil(this.#realNow());
  }

  #arm(): void {
    const pace = this.#pace;
    if (!pace) return;
    clearTimeout(pace.timer);
    pace.timer = undefined;
    const next = this.#events.at(-1);
    if (next) pace.timer = setTimeout(() => this.#catchUp(), Math.max(0, next.at - this.#realNow()));
  }
}

/**
 * The one thread of the script: callbacks run one at a time, none while the script is busy. `busyFor` is how a simulated board spends
 * the time that the device's slower processor would need.
 */
export class Script {
  readonly clock: Clock;
  #freeAt = 0;
  readonly #waiting: (() => void)[] = [];
  #planned: ClockEvent | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Delivers `callback` to the script: now, or as soon as it is free. */
  post(callback: () => void): void {
    this.#waiting.push(callback);
    this.#plan();
  }

  /** Keeps the script busy for `duration` ms on top of what it is busy with. */
  busyFor(duration: number): void {
    this.#freeAt = Math.max(this.#freeAt, this.clock.now) + duration;
  }

  #plan(): void {
    if (this.#planned || !this.#waiting.length) return;
    this.#planned = this.clock.at(this.#freeAt, () => {
      this.#planned = undefined;
      const callback = this.#waiting.shift();
      try {
        callback?.();
      } finally {
        this.#plan();
      }
    });
  }
}
