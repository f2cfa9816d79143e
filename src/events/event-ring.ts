import { keep, recall } from "application";
import { appendCrc, hasValidCrc } from "modbus/crc";
import TextDecoder from "text/decoder";
import { Observers } from "../runtime/observers";
import { minutesOf, timeOf } from "../runtime/minutes";
import { LINE_BYTES, LINES_AT } from "../runtime/retained";
import { MAX_EVENTS, MAX_EVENT_TEXT } from "./limits";
import type { EventObserver, EventText, LogEvent, ObservedEvents } from "./types";

export interface EventRingOptions {
  /** Whole seconds since the firmware started. */
  uptime(): number;
  /** Seconds since 1970, UTC; undefined while the time is not set. */
  time?(): number | undefined;
  readonly start: {
    /** Since power-on. */
    readonly restarts: number;
    /** The retained memory was intact at start-up. */
    readonly intact: boolean;
  };
}

// Line layout: sequence u32 (from 1), uptime u32, restarts u16, length u8, text, time u24 (src/runtime/minutes.ts), CRC.
const UPTIME_AT = 4;
const RESTARTS_AT = 8;
const LENGTH_AT = 10;
const TEXT_AT = 11;
const CRC_AT = LINE_BYTES - 2;
const TIME_AT = CRC_AT - 3;

const LAST_PRINTABLE = 0x7e;
const UNPRINTABLE = 0x3f;

/**
 * The last MAX_EVENTS events, in memory retained across restarts: they use none of the script's memory and show how the
 * previous run ended.
 */
export class EventRing implements ObservedEvents {
  private readonly options: EventRingOptions;
  private readonly line = new Uint8Array(LINE_BYTES);
  private readonly view = new DataView(this.line.buffer);
  private readonly observers = new Observers<EventObserver>();
  /** Sequence number of the newest event; 0: none. */
  newest = 0;
  length = 0;

  constructor(options: EventRingOptions) {
    this.options = options;
    for (let place = 0; place < MAX_EVENTS; place++) {
      if (options.start.intact) this.newest = Math.max(this.newest, this.read(place));
      else keep(this.line, placeOf(place));
    }
    // Walk back from the newest event to the first gap.
    const newest = this.newest;
    while (this.length < MAX_EVENTS && newest > this.length && this.read((newest - this.length) % MAX_EVENTS))
      this.length++;
  }

  add(text: EventText): void {
    const { line, view, options } = this;
    const length = Math.min(text.length, MAX_EVENT_TEXT);
    this.newest++;
    if (this.length < MAX_EVENTS) this.length++;
    view.setUint32(0, this.newest);
    view.setUint32(UPTIME_AT, options.uptime());
    view.setUint16(RESTARTS_AT, options.start.restarts);
    line[LENGTH_AT] = length;
    const minutes = minutesOf(options.time?.() ?? 0);
    view.setUint16(TIME_AT, minutes >> 8);
    line[TIME_AT + 2] = minutes;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      line[TEXT_AT + index] = code > LAST_PRINTABLE ? UNPRINTABLE : code;
    }
    appendCrc(line, CRC_AT);
    keep(line, placeOf(this.newest % MAX_EVENTS));
    this.observers.report("eventAdded", text);
  }

  observe(observer: EventObserver): void {
    this.observers.add(observer);
  }

  at(index: number): LogEvent {
    const sequence = this.newest - this.length + 1 + index;
    if (!(index >= 0 && index < this.length) || this.read(sequence % MAX_EVENTS) !== sequence)
      throw new RangeError(`no event ${index}`);
    const { line, view } = this;
    const minutes = (view.getUint16(TIME_AT) << 8) | (line[TIME_AT + 2] as number);
    return {
      uptime: view.getUint32(UPTIME_AT),
      time: timeOf(minutes),
      before: view.getUint16(RESTARTS_AT) !== (this.options.start.restarts & 0xffff),
      text: new TextDecoder().decode(line.subarray(TEXT_AT, TEXT_AT + (line[LENGTH_AT] as number))),
    };
  }

  /** Reads a slot into `line`. Returns its sequence number, or 0 if the slot is empty or corrupt. */
  private read(place: number): number {
    const { line, view } = this;
    recall(line, placeOf(place));
    if (!hasValidCrc(line, 0, LINE_BYTES) || (line[LENGTH_AT] as number) > MAX_EVENT_TEXT) return 0;
    const sequence = view.getUint32(0);
    return sequence % MAX_EVENTS === place ? sequence : 0;
  }
}

const placeOf = (place: number): number => LINES_AT + place * LINE_BYTES;
