/** One line of the device's log. */
export interface LogEvent {
  /** Seconds since the start. */
  readonly uptime: number;
  /** For people, at most MAX_EVENT_TEXT characters, no secret in it. */
  readonly text: string;
}

/** The last events of the device, newest last, in a ring of a fixed size. */
export interface EventLog {
  add(text: string): void;
  /** Events there are. */
  readonly length: number;
  /** The event at `index`, 0 the oldest. Throws a RangeError beyond `length`. */
  at(index: number): LogEvent;
}
