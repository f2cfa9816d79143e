import { EVENTS_EACH_HOUR, MAX_NOT_STORED, SECURITY_SHARE } from "./limits";
import * as bytes from "./record-bytes";
import type { EventObserver, StoredText } from "./types";
import { packOf } from "./words";

export interface StoredEventsOptions {
  /** Seconds since 1970, UTC; undefined while the time is not set. */
  time(): number | undefined;
  /** Whole seconds since the firmware started. */
  uptime(): number;
  readonly start: { readonly restarts: number };
  readonly settings: { readonly bms: { readonly address: number } };
  /** Where records go; `uptime` as above, for a time that becomes known later. Undefined: nowhere any more. */
  readonly records:
    | {
        appendEvent(record: Uint8Array, time: number | undefined, uptime: number): void;
        /** Share of the stored events that have this byte at this place, 0 to 1. */
        shareOf(place: number, byte: number): number;
      }
    | undefined;
}

const HOUR = 3_600;
const SECURITY = bytes.CODES.indexOf("sign-in-refused");
const TAB = 0x09;
const FIRST_PRINTABLE = 0x20;
const LAST_PRINTABLE = 0x7e;
const UNPRINTABLE = 0x3f;
const UNKNOWN_BYTE = 0xff;

/**
 * Events for the flash. The same event again counts up, and of each code there are at most EVENTS_EACH_HOUR records an hour, and one that counts
 * the others: a flapping alarm can neither wear the flash out nor push everything else out. What anybody on the network can cause takes a
 * share of them at the most. Call `tick` now and then, and `flush` before a
 * planned restart; a power cut loses the counts.
 */
export class StoredEvents implements EventObserver {
  private readonly options: StoredEventsOptions;
  /** The last record, to be written again with the number of its repeats. */
  private readonly record = new Uint8Array(bytes.EVENT_BYTES).fill(UNKNOWN_BYTE);
  private readonly view = new DataView(this.record.buffer);
  /** How often it has been repeated since, and when last, if the time was known. */
  private repeats = 0;
  private repeatedAt: number | undefined;
  private hour = 0;
  /** By code: records of this hour, then events that were left out. */
  private readonly counts = new Uint16Array(2 * bytes.CODES.length);

  constructor(options: StoredEventsOptions) {
    this.options = options;
  }

  eventAdded(text: StoredText): void {
    const tab = text.indexOf("\t");
    const code = bytes.CODES.indexOf((tab < 0 ? text : text.slice(0, tab)) as (typeof bytes.CODES)[number]);
    if (code < 0) return;
    this.tick();
    const parameters = tab < 0 ? "" : text.slice(tab + 1);
    if (this.isLast(code, parameters)) {
      if (this.repeats < bytes.MAX_COUNT) this.repeats++;
      this.stampRepeat();
      return;
    }
    this.flush();
    this.describe(code, parameters);
    this.write(1, this.options.time());
  }

  /** Refused sign-ins of which there is no record, as yet; MAX_NOT_STORED: or more. */
  get notStored(): number {
    return this.counts[bytes.CODES.length + SECURITY] as number;
  }

  /** Begins the next hour if it is time. */
  tick(): void {
    const hour = Math.floor(this.options.uptime() / HOUR);
    if (hour === this.hour) return;
    this.hour = hour;
    this.flush();
    const codes = bytes.CODES.length;
    this.counts.fill(0, 0, codes);
    for (let code = 0; code < codes; code++) {
      const left = this.counts[codes + code] as number;
      if (!left) continue;
      this.counts[codes + code] = Math.max(left - bytes.MAX_COUNT, 0);
      this.describe(code, "");
      this.write(Math.min(left, bytes.MAX_COUNT), this.options.time());
    }
    // Even the same event begins a record in another hour.
    this.record[bytes.EVENT_CODE] = UNKNOWN_BYTE;
  }

  /** Writes the repeats of the last event, if there are any. */
  flush(): void {
    const { repeats } = this;
    if (!repeats) return;
    this.repeats = 0;
    this.write(repeats, this.repeatedAt);
  }

  private isLast(code: number, parameters: string): boolean {
    const { record } = this;
    const length = Math.min(parameters.length, bytes.EVENT_TEXT_BYTES);
    if (record[bytes.EVENT_CODE] !== code || record[bytes.EVENT_LENGTH] !== length) return false;
    for (let index = 0; index < length; index++)
      if (record[bytes.EVENT_TEXT + index] !== byteOf(parameters, index)) return false;
    return true;
  }

  private describe(code: number, parameters: string): void {
    const { record } = this;
    const length = Math.min(parameters.length, bytes.EVENT_TEXT_BYTES);
    record.fill(UNKNOWN_BYTE);
    record[bytes.EVENT_CODE] = code;
    record[bytes.EVENT_LENGTH] = length;
    for (let index = 0; index < length; index++) record[bytes.EVENT_TEXT + index] = byteOf(parameters, index);
    const pack = packOf([bytes.CODES[code] as string, ...parameters.split("\t")]);
    record[bytes.EVENT_PACK] = pack ? Number(pack) : this.options.settings.bms.address;
    this.stampUptime();
  }

  private stampRepeat(): void {
    this.repeatedAt = this.options.time();
    this.stampUptime();
  }

  private stampUptime(): void {
    const { options, view } = this;
    view.setUint16(bytes.EVENT_RESTARTS, options.start.restarts);
    view.setUint32(bytes.EVENT_UPTIME, options.uptime());
  }

  private write(count: number, time: number | undefined): void {
    const { counts, record, view } = this;
    const { records } = this.options;
    const code = record[bytes.EVENT_CODE] as number;
    // Not asked again in this hour.
    if (
      code === SECURITY &&
      (counts[code] as number) < EVENTS_EACH_HOUR &&
      records &&
      records.shareOf(bytes.EVENT_CODE, code) >= 1 / SECURITY_SHARE
    )
      counts[code] = EVENTS_EACH_HOUR;
    const written = counts[code] as number;
    if (written >= EVENTS_EACH_HOUR) {
      const left = bytes.CODES.length + code;
      counts[left] = Math.min((counts[left] as number) + count, MAX_NOT_STORED);
      return;
    }
    counts[code] = written + 1;
    record[bytes.EVENT_COUNT] = count;
    records?.appendEvent(record, time, view.getUint32(bytes.EVENT_UPTIME));
  }
}

function byteOf(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code === TAB || (code >= FIRST_PRINTABLE && code <= LAST_PRINTABLE) ? code : UNPRINTABLE;
}
