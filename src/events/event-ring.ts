import { MAX_EVENTS, MAX_EVENT_TEXT } from "./limits";
import type { EventLog, LogEvent } from "./types";

export interface EventRingOptions {
  /** Whole seconds since the start. */
  uptime(): number;
}

/** The last MAX_EVENTS events. */
export class EventRing implements EventLog {
  private readonly clock: EventRingOptions;
  private readonly times: number[] = [];
  private readonly texts: string[] = [];
  /** Place of the oldest, once all are taken. */
  private oldest = 0;

  constructor(clock: EventRingOptions) {
    this.clock = clock;
  }

  get length(): number {
    return this.texts.length;
  }

  add(text: string): void {
    const place = this.texts.length < MAX_EVENTS ? this.texts.length : this.oldest;
    if (this.texts.length === MAX_EVENTS) this.oldest = (place + 1) % MAX_EVENTS;
    this.times[place] = this.clock.uptime();
    this.texts[place] = text.slice(0, MAX_EVENT_TEXT);
  }

  at(index: number): LogEvent {
    if (!(index >= 0 && index < this.texts.length)) throw new RangeError(`no event ${index}`);
    const place = (this.oldest + index) % MAX_EVENTS;
    return { uptime: this.times[place] as number, text: this.texts[place] as string };
  }
}
