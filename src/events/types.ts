/** One line of the device's log. */
export interface LogEvent {
  /** Seconds since the start. */
  readonly uptime: number;
  /** Of the run before the last restart, or an earlier one: `uptime` is since the start of that. */
  readonly before: boolean;
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
