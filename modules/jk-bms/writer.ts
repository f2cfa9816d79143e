import { upperCase } from "ascii/case";
import { enter, onTimer } from "door/enter";
import { READ_REPLY_DATA } from "modbus/rtu";
import type { ReplyListener, Reply, Result } from "modbus/types";
import Time from "time";
import Timer from "timer";
import { blockOf, getterOf, lengthOf, offsetOf, registerOf, textAt } from "./fields";
import { FRAME_PAYLOAD } from "./frame";
import {
  AGREEING_READS,
  MAX_NAMED,
  MAX_TEXT,
  MAX_UNSETTLED_READS,
  MIN_READ_BACK_QUANTITY,
  READ_BACK_INTERVAL,
  READ_BACK_LENGTHS,
  READ_BACK_TRIES,
  READ_BACKS_OF_A_PARAMETER,
  READ_BACKS_OF_EMERGENCY,
  WRITE_TRIES,
} from "./limits";
import type { Link } from "./reader";
import type { WriteResult } from "./types";
import { checkValue, encodeAllowedWrite, SWITCHES, writableByName, type Writable } from "./writes";

type Phase = "reading the word" | "writing" | "verifying";
type Value = number | string;

/** Address, function, register, quantity, byte count, the longest value, CRC. */
export const WRITE_ADU_BYTES = 9 + MAX_TEXT;

/** Exceptions that do not refuse (Modbus Application Protocol V1.1b3, section 7). */
const ACKNOWLEDGE = 5;
const BUSY = 6;

const NOT_SENT = Object.freeze({ outcome: "not-sent" } as const, true);
const LINE_BUSY = Object.freeze({ outcome: "not-sent-busy" } as const, true);

/** Outcome of a write whose register holds a different value, by the result of the request. */
const OTHERWISE = Object.freeze(
  { reply: "not-applied", "no-reply": "no-reply-not-applied", mismatch: "mismatch" } as const,
  true,
);

const hex16 = (word: number): string => `0x${upperCase((0x10000 + word).toString(16).slice(1))}`;

interface Owned {
  readonly target: BmsWriter;
}

function onDeadline(timer: Timer): void {
  enter((timer as Timer & Owned).target, "expire");
}

/**
 * One write: sends a value and reads it back, even if the reply was lost or is an exception: the BMS may have applied it.
 *
 * Only a value that two reads agree on counts: a reply by registers does not name what was read, so it may be another master's (the lengths of two
 * differ), and two wrong bits of a frame may leave its sum right. A frame with the value sent counts by itself where the BMS has acknowledged the write, or
 * the time does not suffice for another.
 */
export class BmsWriter implements ReplyListener {
  readonly part = "bms";
  private readonly link: Link;
  private readonly entry: Writable;
  private readonly value: Value;
  private readonly done: (result: WriteResult) => void;
  private phase: Phase = "writing";
  /** Result of the write request. */
  private reply: Result = "no-reply";
  private exception = 0;
  /** The request was repeated, so one whose reply was lost may have been applied. */
  private retried = false;
  /** The value sent; for a bit, its whole word. */
  private sentValue: Value = 0;
  /** Requests that the BMS may still reject as busy. */
  private busyLeft = WRITE_TRIES;
  /** The field is being read back by frame instead of by registers. */
  private byFrame = false;
  /** The last value read, of which nothing is known yet, and when, ticks. */
  private candidate: Value | undefined;
  private candidateAt = 0;
  /** The last value that counts; undefined before the first. */
  private seen: Value | undefined;
  private readBacksLeft = 0;
  /** Reads left that may contradict the one before. */
  private unsettledLeft = 0;
  private tries = 0;
  /** Of them, those that an exception answered. */
  private refusals = 0;
  /** When the time is up, ticks. */
  private endsAt = 0;
  /** Requests counted before the write's first. */
  private requestsBefore = 0;
  private deadline: Timer | undefined;
  private pause: Timer | undefined;

  /** See JkPack.write. */
  constructor(link: Link, name: string, value: Value, done: (result: WriteResult) => void) {
    const entry = writableByName(name);
    checkValue(entry, value);
    this.link = link;
    this.entry = entry;
    this.value = value;
    this.done = done;
  }

  start(timeout: number): void {
    if (!(timeout > 0)) throw new RangeError(`timeout ${timeout}`);
    this.endsAt = (Time.ticks + timeout) | 0;
    // First: what was begun could not be taken back.
    this.deadline = Object.assign(Timer.set(onDeadline, timeout), { target: this });
    try {
      this.begin();
    } catch (error) {
      this.cancel();
      throw error;
    }
  }

  private begin(): void {
    if (this.entry.kind !== "bit") return this.send(this.value);
    this.phase = "reading the word";
    this.observe(1);
  }

  /** Drops the write without calling `done`. */
  cancel(): void {
    Timer.clear(this.deadline);
    Timer.clear(this.pause);
  }

  answered(result: Result, reply: Reply): void {
    if (this.phase === "writing") this.onAcknowledged(result, reply);
    else if (result !== "reply") this.tryAgain(result);
    else if (this.byFrame) this.onField(reply, FRAME_PAYLOAD + offsetOf(this.entry.field));
    else this.onField(reply, READ_REPLY_DATA + 2 * this.before);
  }

  private send(value: Value): void {
    const { station, transaction, statistics } = this.link;
    this.phase = "writing";
    this.requestsBefore = statistics.requests;
    this.sentValue = value;
    transaction.prepare(encodeAllowedWrite(transaction.adu, this.entry, value));
    // With a long gap fewer tries: the time for the read-back is kept, or a lost reply would always leave the outcome unknown.
    const fitting = Math.floor(((this.endsAt - Time.ticks) | 0) / station.tryTime(transaction));
    if (fitting > 0) station.start(transaction, Math.max(1, Math.min(WRITE_TRIES, fitting - AGREEING_READS)), this);
    else this.endNow();
  }

  /** Without time for a reply nothing is sent, and nothing is worth waiting for. Ends in a callback of its own: see JkPack.write. */
  private endNow(): void {
    this.endsAt = Time.ticks;
    if (this.deadline) Timer.schedule(this.deadline, 0);
  }

  private onAcknowledged(result: Result, { exception, retried }: Reply): void {
    if (result === "withheld") {
      // Another master has been heard: the value cannot be read back either.
      this.finish(this.sent ? { outcome: "no-reply" } : LINE_BUSY);
      return;
    }
    this.retried ||= retried;
    if (result === "exception" && exception === BUSY && --this.busyLeft > 0) {
      this.wait();
      return;
    }
    // Accepted, says the standard, and not done yet: neither confirmed nor refused.
    this.reply = result === "exception" && exception === ACKNOWLEDGE ? "no-reply" : result;
    this.exception = exception;
    this.phase = "verifying";
    // What was refused is not expected to change.
    const reads = this.entry.kind === "pulse" ? READ_BACKS_OF_EMERGENCY : READ_BACKS_OF_A_PARAMETER;
    this.observe(this.reply === "exception" ? 1 : reads);
  }

  /** Reads the field until it holds the value sent, `reads` times at most, and until two reads agree. */
  private observe(reads: number): void {
    this.candidate = this.seen = undefined;
    this.readBacksLeft = reads;
    this.unsettledLeft = MAX_UNSETTLED_READS;
    this.readBack();
  }

  /** Reads the field: in the current mode, and every third time in the other one if the BMS is silent. */
  private readBack(): void {
    this.tries = this.refusals = 0;
    this.readField();
  }

  private readField(): void {
    const link = this.link;
    const { station, transaction } = link;
    const { field } = this.entry;
    this.tries++;
    this.byFrame = (link.choice.active === "frames") === this.tries % READ_BACK_TRIES > 0;
    if (this.byFrame) {
      station.start(link.trigger.prepareFor(blockOf(field)), 1, this);
      return;
    }
    // So that a late reply to a previous read-back, of this field or another, has another length.
    link.extra = (link.extra + 1) % READ_BACK_LENGTHS;
    const register = registerOf(field) - 2 * this.before;
    const quantity = Math.max(MIN_READ_BACK_QUANTITY, lengthOf(field) / 2) + link.extra;
    station.start(transaction.read(register, quantity), 1, this);
  }

  /** Extra words follow the field, but precede the Bluetooth name, which is followed by the Bluetooth PIN. */
  private get before(): number {
    return this.entry.kind === "text" ? this.link.extra : 0;
  }

  /** What was lost is asked for until the time is up; what is refused, in either mode, only a few times. */
  private tryAgain(result: Result): void {
    if (result === "exception") this.refusals++;
    if (result !== "withheld" && this.refusals < READ_BACK_TRIES) this.readField();
    else if (this.phase === "verifying") this.finish(this.unconfirmed());
    else this.finish(result === "withheld" ? LINE_BUSY : NOT_SENT);
  }

  /** The field is at byte `at` of the reply. */
  private onField({ bytes, start, length }: Reply, at: number): void {
    const { field } = this.entry;
    const view = new DataView(bytes.buffer, bytes.byteOffset + start, length);
    const getter = getterOf(field);
    const read = getter ? view[getter](at, this.byFrame) : textAt(view, at, lengthOf(field));
    const isSent = this.phase === "verifying" && this.isAsSent(read);
    const settled = this.agrees(read) || (isSent && this.byFrame && this.isEnough);
    this.candidate = read;
    this.candidateAt = Time.ticks;
    if (settled) this.seen = read;
    const isWaiting = this.phase === "verifying" && !isSent && --this.readBacksLeft > 0;
    if (isWaiting) this.wait();
    else if (settled) this.settle(read);
    else if (--this.unsettledLeft > 0) this.readBack();
    else this.finish(this.phase === "verifying" ? this.unconfirmed() : LINE_BUSY);
  }

  /** A frame that holds the value sent need not come twice. Any countdown does that is not 0. */
  private get isEnough(): boolean {
    const { entry, link, reply } = this;
    const { station, trigger } = link;
    return (reply === "reply" && entry.kind !== "pulse") || ((this.endsAt - Time.ticks) | 0) < station.tryTime(trigger);
  }

  /** Two reads agree. */
  private settle(read: Value): void {
    const { kind, field, mask } = this.entry;
    if (this.phase === "reading the word") return this.send(this.value ? Number(read) | mask : Number(read) & ~mask);
    if (!this.isAsSent(read)) return this.finish(this.unconfirmed());
    if (kind !== "pulse") this.link.images[blockOf(field)].patch(field, read);
    this.finish(this.applied());
  }

  /** Without memory for the timer it goes on at once. */
  private wait(): void {
    try {
      this.pause = Object.assign(Timer.set(onTimer, READ_BACK_INTERVAL), { target: this });
    } catch {
      this.tick();
    }
  }

  tick(): void {
    this.pause = undefined;
    if (this.phase === "verifying") this.readBack();
    // The BMS was busy. Its word is read again: somebody else may have changed it meanwhile.
    else this.begin();
  }

  private isAsSent(read: Value): boolean {
    // A countdown: above 0 means on.
    return this.entry.kind === "pulse" ? Number(read) > 0 === (this.sentValue === 1) : read === this.sentValue;
  }

  /** Whether it says what the read before said; a countdown falls, by no more than the time between them and a second. */
  private agrees(read: Value): boolean {
    const { candidate, candidateAt, entry } = this;
    if (entry.kind !== "pulse" || candidate === undefined) return candidate === read;
    const fallen = Number(candidate) - Number(read);
    return fallen >= 0 && 1000 * (fallen - 1) <= ((Time.ticks - candidateAt) | 0);
  }

  /** The BMS holds the value. */
  private applied(): WriteResult {
    const { reply, exception, retried } = this;
    if (reply === "mismatch") return this.unconfirmed();
    if (reply === "exception" && !retried) return { outcome: "refused-applied", exception };
    return { outcome: reply === "reply" ? "confirmed" : "no-reply-applied" };
  }

  /** The value was never read back as written, or the reply names another write. */
  private unconfirmed(): WriteResult {
    const { reply, exception, retried, seen } = this;
    if (reply === "exception" && (seen !== undefined || !retried)) return { outcome: "refused", exception };
    if (seen === undefined)
      return { outcome: reply === "reply" ? "unverified" : reply === "mismatch" ? reply : "no-reply" };
    return { outcome: OTHERWISE[reply as keyof typeof OTHERWISE], readBack: this.shown(seen) };
  }

  /** The value read back; for a bit 0 or 1, unless its word differs in other bits, too: then these by name. */
  private shown(seen: Value): Value {
    const { kind, mask } = this.entry;
    if (kind !== "bit") return seen;
    const word = Number(seen);
    const others = (word ^ Number(this.sentValue)) & ~mask;
    if (!others) return Number((word & mask) !== 0);
    const named = SWITCHES.split(", ").filter((_, bit) => (others >> bit) & 1);
    if (named.length > MAX_NAMED) named.splice(MAX_NAMED, named.length, "...");
    return `${hex16(word)}, changed: ${named.join(", ")}`;
  }

  expire(): void {
    this.deadline = undefined;
    this.link.station.cancel();
    if (this.phase === "verifying") this.finish(this.unconfirmed());
    else if (this.phase === "writing") this.finish(this.sent ? { outcome: "no-reply" } : LINE_BUSY);
    else this.finish(NOT_SENT);
  }

  private get sent(): boolean {
    return this.phase === "writing" && this.link.statistics.requests !== this.requestsBefore;
  }

  private finish(result: WriteResult): void {
    this.cancel();
    this.done(result);
  }
}
