/** Event codes and, beside them, their parameters; the page has the texts (web/messages.ts). */
export type EventCode =
  | "started" // version, build
  | "start-reason" // reason
  | "crashed" // where
  | "safe-mode"
  | "part-failed" // part, reason
  | "part-works" // part
  | "stopped"
  | "button"
  | "bms-online"
  | "bms-offline"
  | "other-master"
  | "other-master-gone"
  // With several packs, instead of bms-online and bms-offline:
  | "pack-online" // address
  | "pack-offline" // address
  | "pack-swapped" // address: another pack than before answers there
  | "no-reply" // what came instead (NO_REPLIES); with several packs the address
  | "alarm-raised" // alarm; with several packs the address
  | "alarm-cleared" // as above; of one that has flapped, how often it came
  | "condition-raised" // code (src/conditions/table.ts); with several packs the address
  | "condition-cleared" // as above
  | "write" // name, value, outcome, unit (C: °C), pack, origin, detail: WriteReport; empty if undefined
  | "setting-changed" // name, before, value, unit, pack, by (ChangedBy), empty: SettingChange; of many at once without a name, and how many
  | "all-packs-ended" // setting: a restart came before all packs had it
  | "relay-on"
  | "relay-off"
  | "settings" // code and parameters of a problem with the settings
  | "settings-changed" // group
  | "clock-set" // interface, address of the client
  | "clock-doubtful"
  | "older-update" // version
  | "mqtt" // problem, or "connected"
  | "password-lost";

/** A code and its parameters, separated by tabs (which no parameter contains): "alarm-raised\tcell_undervoltage". */
export type EventText = EventCode | `${EventCode}\t${string}`;

/** What is only stored in flash, where repeats count up: the device's log would be full of it. Parameters as above. */
export type StoredText = EventText | `sign-in-refused\t${string}`; // address of the client

/** Beside the log's codes, those of StoredText. */
export type StoredCode = EventCode | "sign-in-refused";

/** One line of the device's log. */
export interface LogEvent {
  /** Seconds since boot. */
  readonly uptime: number;
  /** Seconds since 1970, to the minute; undefined: the time was not known. */
  readonly time?: number | undefined;
  /** From an earlier run: `uptime` counts from that run's boot. */
  readonly before: boolean;
  /** An EventText of at most MAX_EVENT_TEXT characters, without secrets. */
  readonly text: string;
}

/** Called with events by their one source: the log that keeps the last ones (ObservedEvents). */
export interface EventObserver {
  /** The event is in the log, as the newest. An exception is caught there. */
  eventAdded(text: EventText): void;
}

/** The device's most recent events, newest last, in a ring of fixed size. */
export interface EventLog {
  add(text: EventText): void;
  /** Number of events. */
  readonly length: number;
  /** The event at `index`, 0 being the oldest. Throws a RangeError beyond `length`. */
  at(index: number): LogEvent;
}

/** The source of all events. Who was not there yet when they began reads the log. */
export interface ObservedEvents extends EventLog {
  /** Number of the newest event, counted up also beyond what the log keeps; 0: none. The event at `index` has `newest - length + 1 + index`. */
  readonly newest: number;
  /** Throws a RangeError beyond MAX_OBSERVERS. */
  observe(observer: EventObserver): void;
}

/** The events that are stored in flash. */
export interface EventStore {
  eventAdded(text: StoredText): void;
  /** Refused sign-ins of which there is no record, as yet. */
  readonly notStored: number;
}
