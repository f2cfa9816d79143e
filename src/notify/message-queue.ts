import { keep, recall } from "application";
import { appendCrc, hasValidCrc } from "modbus/crc";
import { minutesOf, timeOf } from "../runtime/minutes";
import { NOTIFY_AT, NOTIFY_BYTES } from "../runtime/retained";
import { CAUSES, isAlarm, MOST_CAUSES } from "./causes";
import { DAY, MAX_DAILY, MAX_KEPT_PACKS, MAX_MESSAGES, RESERVED_DAILY } from "./limits";
import { CLEARED, type Kind, type Message } from "./types";

// Layout: messages waiting u8; sent within the day u8; seconds from that day's beginning to the last change u32; a bit for each cause that has
// been reported and is not over; of the first of these the packs u16 each; the last serial u8; the messages; CRC.
const SENT = 1;
const ELAPSED = 2;
const REPORTED = 6;
const PACKS_REPORTED = REPORTED + Math.ceil(MOST_CAUSES / 8);
const LAST_SERIAL = PACKS_REPORTED + 2 * MAX_KEPT_PACKS;
const FIRST = LAST_SERIAL + 1;
const BYTES = 16;
const CRC_AT = NOTIFY_BYTES - 2;

// A message: cause u8, count u8, state u8 (a bit for each target that has not got it, the kind, DELIVERED), restarts u8, value i16, packs u16,
// uptime u32, time u24 (src/runtime/minutes.ts), serial u8.
const COUNT = 1;
const STATE = 2;
const RESTARTS = 3;
const VALUE = 4;
const PACKS = 6;
const UPTIME = 8;
const MINUTES = 12;
const SERIAL = 15;
/** Bits of the state. */
const TARGETS = 0x0f;
const KIND_SHIFT = 4;
/** One of the targets has got it. */
const DELIVERED = 0x80;

const MINUTE = 60;
const MAX_VALUE = 0x7fff;
/** The only pack, as a bit. */
const ONLY = 1;

/** When a message is due, and for which targets. */
export interface Report extends Omit<Message, "serial" | "minutes"> {
  /** A bit for each target. */
  readonly targets: number;
  /** Seconds since 1970; undefined: unknown. */
  readonly time: number | undefined;
}

const kindOf = (state: number): Kind => ((state & ~DELIVERED) >> KIND_SHIFT) as Kind;

/** Messages that wait, in memory retained over a restart, and what has been reported so far. */
export class MessageQueue {
  private readonly bytes = new Uint8Array(NOTIFY_BYTES);
  private readonly view = new DataView(this.bytes.buffer);
  /** Of each cause the packs for which it has been reported and is not over, a bit for each address; of the only pack, and the device, the lowest. */
  private readonly packsReported = new Uint16Array(CAUSES);
  /** Uptime at which the day of the limit began; negative: before the restart. */
  private dayStart: number;

  /** `intact`: the retained memory was intact at the start. */
  constructor(intact: boolean) {
    const { bytes } = this;
    recall(bytes, NOTIFY_AT);
    if (!intact || !hasValidCrc(bytes, 0, NOTIFY_BYTES) || this.length > MAX_MESSAGES) bytes.fill(0);
    this.dayStart = -this.view.getUint32(ELAPSED);
    let kept = 0;
    for (let cause = 0; cause < CAUSES; cause++)
      if (((bytes[REPORTED + (cause >> 3)] as number) >> (cause & 7)) & 1)
        this.packsReported[cause] = kept < MAX_KEPT_PACKS ? this.view.getUint16(PACKS_REPORTED + 2 * kept++) : ONLY;
  }

  /** Messages that wait. */
  get length(): number {
    return this.bytes[0] as number;
  }

  /** Messages of this day. */
  sentToday(now: number): number {
    return now - this.dayStart < DAY ? (this.bytes[SENT] as number) : 0;
  }

  /** Whether one more may be reported today; `first`: its cause has been calm until now. */
  hasRoom(now: number, first: boolean): boolean {
    return this.sentToday(now) < MAX_DAILY - (first ? 0 : RESERVED_DAILY);
  }

  /** For which packs the cause has been reported and is not over: see packsReported. */
  reported(cause: number): number {
    return this.packsReported[cause] as number;
  }

  setReported(cause: number, packs: number): void {
    this.packsReported[cause] = packs;
  }

  /** A message of this cause waits that nobody has got. */
  has(cause: number): boolean {
    const { bytes } = this;
    for (let at = FIRST, end = this.end; at < end; at += BYTES)
      if (bytes[at] === cause && (bytes[at + STATE] as number) < DELIVERED) return true;
    return false;
  }

  /** A further message would push one out that nobody has got. */
  get isFull(): boolean {
    return this.length === MAX_MESSAGES && (this.bytes[this.least() + STATE] as number) < DELIVERED;
  }

  add({ cause, kind, count, value, packs, restarts, uptime, targets, time }: Report): void {
    const { bytes, view } = this;
    if (this.length === MAX_MESSAGES) this.remove(this.least());
    this.count(uptime);
    const at = this.end;
    const serial = (bytes[LAST_SERIAL] = ((bytes[LAST_SERIAL] as number) + 1) & 0xff);
    bytes[at] = cause;
    bytes[at + COUNT] = count;
    bytes[at + STATE] = targets | (kind << KIND_SHIFT);
    bytes[at + RESTARTS] = restarts;
    view.setInt16(at + VALUE, Math.max(-MAX_VALUE, Math.min(value, MAX_VALUE)));
    view.setUint16(at + PACKS, packs);
    view.setUint32(at + UPTIME, uptime);
    view.setUint32(at + MINUTES, ((minutesOf(time ?? 0) << 8) | serial) >>> 0);
    bytes[0] = this.length + 1;
    this.store(uptime);
  }

  /** Counts a message among those of the day. */
  count(now: number): void {
    const { bytes } = this;
    if (!this.sentToday(now)) {
      this.dayStart = now;
      bytes[SENT] = 0;
    }
    bytes[SENT] = (bytes[SENT] as number) + 1;
    this.store(now);
  }

  /** The oldest message that `target` has not got; undefined: none. */
  next(target: number): Message | undefined {
    const { bytes } = this;
    for (let at = FIRST, end = this.end; at < end; at += BYTES)
      if (((bytes[at + STATE] as number) >> target) & 1) return this.read(at);
    return undefined;
  }

  /** Undefined: none waits. */
  get oldest(): Message | undefined {
    return this.length ? this.read(FIRST) : undefined;
  }

  /** `target` has got the message, unless it has been pushed out meanwhile. Returns whether it was the first to get it. */
  delivered({ cause, serial }: Message, target: number, now: number): boolean {
    const { bytes } = this;
    for (let at = FIRST, end = this.end; at < end; at += BYTES) {
      if (bytes[at] !== cause || bytes[at + SERIAL] !== serial) continue;
      const before = bytes[at + STATE] as number;
      const state = (bytes[at + STATE] = (before & ~(1 << target)) | DELIVERED);
      if (!(state & TARGETS)) this.remove(at);
      this.store(now);
      return before < DELIVERED;
    }
    return false;
  }

  /** Drops messages for targets that are not among `targets` alone. */
  restrict(targets: number, now: number): void {
    const { bytes } = this;
    for (let at = FIRST; at < this.end;) {
      const state = (bytes[at + STATE] = (bytes[at + STATE] as number) & (targets | ~TARGETS));
      if (state & targets) at += BYTES;
      else this.remove(at);
    }
    this.store(now);
  }

  /** Keeps it over a restart. */
  store(now: number): void {
    const { bytes, packsReported, view } = this;
    view.setUint32(ELAPSED, Math.min(now - this.dayStart, DAY));
    bytes.fill(0, REPORTED, LAST_SERIAL);
    let kept = 0;
    for (let cause = 0; cause < CAUSES; cause++) {
      const packs = packsReported[cause] as number;
      if (!packs) continue;
      bytes[REPORTED + (cause >> 3)] = (bytes[REPORTED + (cause >> 3)] as number) | (1 << (cause & 7));
      if (kept < MAX_KEPT_PACKS) view.setUint16(PACKS_REPORTED + 2 * kept++, packs);
    }
    appendCrc(bytes, CRC_AT);
    keep(bytes, NOTIFY_AT);
  }

  private get end(): number {
    return FIRST + this.length * BYTES;
  }

  /** The one that goes when the queue is full: see MAX_MESSAGES. */
  private least(): number {
    const { bytes, end } = this;
    let least = 0;
    for (let at = FIRST; at < end; at += BYTES) {
      const state = bytes[at + STATE] as number;
      if (state >= DELIVERED) return at;
      if (!least && (!isAlarm(bytes[at] as number) || kindOf(state) === CLEARED)) least = at;
    }
    return least || FIRST;
  }

  private read(at: number): Message {
    const { bytes, view } = this;
    const time = timeOf(view.getUint32(at + MINUTES) >>> 8);
    return {
      cause: bytes[at] as number,
      kind: kindOf(bytes[at + STATE] as number),
      count: bytes[at + COUNT] as number,
      value: view.getInt16(at + VALUE),
      packs: view.getUint16(at + PACKS),
      restarts: bytes[at + RESTARTS] as number,
      uptime: view.getUint32(at + UPTIME),
      minutes: time && time / MINUTE,
      serial: bytes[at + SERIAL] as number,
    };
  }

  private remove(at: number): void {
    const { bytes, end } = this;
    bytes.copyWithin(at, at + BYTES, end);
    bytes[0] = this.length - 1;
  }
}

/** After a factory reset nothing from before is sent. */
export function discardMessages(): void {
  keep(new Uint8Array(NOTIFY_BYTES), NOTIFY_AT);
}
