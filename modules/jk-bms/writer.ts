import { encodeRead, READ_REPLY_DATA } from "modbus-rtu/pdu";
import type { ReplyListener, Reply, Result } from "modbus-rtu/types";
import Time from "time";
import Timer from "timer";
import { registerOf, textAt } from "./fields";
import { FRAME_PAYLOAD } from "./frame";
import {
  LOOK_INTERVAL,
  LOOKS_AT_A_SETTING,
  LOOKS_AT_EMERGENCY,
  MAX_TEXT,
  MIN_READ_BACK_QUANTITY,
  READ_BACK_LENGTHS,
  READ_TRIES_OF_A_LOOK,
  WRITE_TRIES,
} from "./limits";
import type { Link } from "./reader";
import type { WriteResult } from "./types";
import { checkValue, encodeAllowedWrite, writableByName, type Writable } from "./writes";

type Phase = "reading the word" | "writing" | "verifying";
type Value = number | string;

/** Address, function, register, quantity, byte count, the longest value, CRC. */
export const WRITE_ADU_BYTES = 9 + MAX_TEXT;

/** Outcome of a write whose register holds a different value, by the result of the request. */
const OTHERWISE = Object.freeze(
  { reply: "not-applied", "no-reply": "no-reply-not-applied", mismatch: "mismatch" } as const,
  true,
);

/** The value read back; for a bit, 0 or 1 instead of its word. */
const stateOf = ({ kind, mask }: Writable, seen: Value): Value =>
  kind === "bit" ? Number((Number(seen) & mask) !== 0) : seen;

/** One write: sends a value and reads it back, even if the reply was lost: the BMS may have applied it. */
export class BmsWriter implements ReplyListener {
  private readonly link: Link;
  private readonly entry: Writable;
  private readonly value: Value;
  private readonly done: (result: WriteResult) => void;
  private phase: Phase = "writing";
  /** Result of the write request. */
  private reply: Result = "no-reply";
  private exception = 0;
  /** The field is being read back by frame instead of by registers. */
  private byFrame = false;
  /** The value at the last check; undefined before the first. */
  private seen: Value | undefined;
  private looksLeft = 0;
  private tries = 0;
  /** When the time is up, ticks. */
  private endsAt = 0;
  /** Requests counted before the write's first. */
  private requestsBefore = 0;
  private deadline: Timer | undefined;
  private pause: Timer | undefined;

  /** See JkBms.write. */
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
    if (this.entry.kind === "bit") {
      this.phase = "reading the word";
      this.look();
    } else this.send(this.value);
    this.deadline = Timer.set(() => this.onDeadline(), timeout);
  }

  /** Drops the write without calling `done`. */
  cancel(): void {
    Timer.clear(this.deadline);
    Timer.clear(this.pause);
  }

  answered(result: Result, reply: Reply): void {
    if (this.phase === "writing") this.onAcknowledged(result, reply);
    else if (result !== "reply") this.tryAgain();
    else if (this.byFrame) this.onField(reply, FRAME_PAYLOAD + this.entry.field.offset);
    else this.onField(reply, READ_REPLY_DATA + 2 * this.before);
  }

  private send(value: Value): void {
    const { master, address, transaction, statistics } = this.link;
    this.phase = "writing";
    this.requestsBefore = statistics.requests;
    transaction.prepare(encodeAllowedWrite(transaction.adu, address, this.entry, value));
    // With a long gap fewer tries: the time for one read-back is kept, or a lost reply would always leave the outcome unknown.
    const fitting = Math.floor(((this.endsAt - Time.ticks) | 0) / master.tryTime(transaction));
    // Without time for a reply nothing is sent: the deadline ends the write.
    if (fitting > 0) master.start(transaction, Math.max(1, Math.min(WRITE_TRIES, fitting - 1)) - 1, this);
  }

  private onAcknowledged(result: Result, { exception, retried }: Reply): void {
    // A try whose reply was lost may have been applied.
    if (result === "exception" && !retried) return this.finish({ outcome: "refused", exception });
    this.reply = result;
    this.exception = exception;
    this.phase = "verifying";
    this.seen = undefined;
    this.looksLeft = this.entry.kind === "pulse" ? LOOKS_AT_EMERGENCY : LOOKS_AT_A_SETTING;
    this.look();
  }

  /** Reads the field back: in the current mode, and in the other one if the BMS is silent. */
  private look(): void {
    this.tries = 0;
    this.readField();
  }

  private readField(): void {
    const link = this.link;
    const { master, address, transaction } = link;
    const { field } = this.entry;
    this.tries++;
    this.byFrame = (link.choice.active === "frames") === this.tries < READ_TRIES_OF_A_LOOK;
    if (this.byFrame) {
      master.start(link.trigger.ask(address, field.block), 0, this);
      return;
    }
    // So that a late reply to a previous read-back, of this field or another, has another length.
    link.extra = (link.extra + 1) % READ_BACK_LENGTHS;
    const register = registerOf(field) - 2 * this.before;
    const quantity = Math.max(MIN_READ_BACK_QUANTITY, field.length / 2) + link.extra;
    master.start(transaction.prepare(encodeRead(transaction.adu, address, register, quantity)), 0, this);
  }

  /** Extra words follow the field, but precede the Bluetooth name, which is followed by the Bluetooth PIN. */
  private get before(): number {
    return this.entry.kind === "text" ? this.link.extra : 0;
  }

  private tryAgain(): void {
    if (this.tries < READ_TRIES_OF_A_LOOK) this.readField();
    else if (this.phase === "verifying") this.finish(this.unconfirmed());
    else this.finish({ outcome: "not-sent" });
  }

  /** The field is at byte `at` of the reply. */
  private onField({ bytes, start, length }: Reply, at: number): void {
    const entry = this.entry;
    const { field, mask } = entry;
    const view = new DataView(bytes.buffer, bytes.byteOffset + start, length);
    const seen = field.getter ? view[field.getter](at, this.byFrame) : textAt(view, at, field.length);
    this.seen = seen;
    if (this.phase === "reading the word") this.send(this.value ? Number(seen) | mask : Number(seen) & ~mask);
    else if (this.agrees(entry, seen)) this.confirm(entry, seen);
    else if (--this.looksLeft > 0) this.pause = Timer.set(() => this.onPause(), LOOK_INTERVAL);
    else this.finish(this.unconfirmed());
  }

  private onPause(): void {
    this.pause = undefined;
    this.look();
  }

  private agrees({ kind, mask }: Writable, seen: Value): boolean {
    if (kind === "bit") return ((Number(seen) & mask) !== 0) === (this.value === 1);
    // A countdown: above 0 means on.
    if (kind === "pulse") return Number(seen) > 0 === (this.value === 1);
    return seen === this.value;
  }

  private confirm({ kind, field }: Writable, seen: Value): void {
    if (kind !== "pulse") this.link.images[field.block].patch(field, seen);
    if (this.reply === "mismatch") this.finish(this.unconfirmed());
    else this.finish({ outcome: this.reply === "reply" ? "confirmed" : "no-reply-applied" });
  }

  /** The value was never read back as written, or the reply names another write. */
  private unconfirmed(): WriteResult {
    const { entry, reply, exception, seen } = this;
    if (seen === undefined)
      return { outcome: reply === "reply" ? "unverified" : reply === "mismatch" ? reply : "no-reply" };
    if (reply === "exception") return { outcome: "refused", exception };
    return { outcome: OTHERWISE[reply], readBack: stateOf(entry, seen) };
  }

  private onDeadline(): void {
    this.deadline = undefined;
    this.link.master.cancel();
    if (this.phase === "verifying") this.finish(this.unconfirmed());
    else this.finish({ outcome: this.sent ? "no-reply" : "not-sent" });
  }

  private get sent(): boolean {
    return this.phase === "writing" && this.link.statistics.requests !== this.requestsBefore;
  }

  private finish(result: WriteResult): void {
    this.cancel();
    this.done(result);
  }
}
