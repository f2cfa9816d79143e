/** One line of the device's log. */
export interface LogEvent {
  /** Seconds since boot. */
  readonly uptime: number;
  /** From an earlier run: `uptime` counts from that run's boot. */
  readonly before: boolean;
  /** Human-readable, at most MAX_EVENT_TEXT characters, no secrets. */
  readonly text: string;
}

/** The device's most recent events, newest last, in a ring of fixed size. */
export interface EventLog {
  add(text: string): void;
  /** Number of events. */
  readonly length: number;
  /** The event at `index`, 0 being the oldest. Throws a RangeError beyond `length`. */
  at(index: number): LogEvent;
}
