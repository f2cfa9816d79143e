import type Serial from "embedded:io/serial";
import Time from "time";
import Timer from "timer";
import {
  BITS_PER_BYTE,
  DEFAULT_BUFFER_BYTES,
  DEFAULT_GAP,
  DRAIN_INTERVAL,
  FIFO_BYTES,
  FIRST_BYTE_TIMEOUT,
  IDLE_GAP,
  MAX_DEFERRAL,
  MAX_GAP,
  MAX_READS,
  MAX_REQUEST_BYTES,
  MAX_RETRIES,
  MIN_GAP,
  POLL_INTERVAL,
  REPLY_MARGIN,
} from "./limits";
import { ReceiveBuffer } from "./receive-buffer";
import { WAIT, type Transaction } from "./transaction";
import { zeroCounters, type ReplyListener, type Counters, type MasterOptions, type Result } from "./types";

/** gap: waiting until the bus has been quiet long enough. waiting: the request has been sent. */
type State = "idle" | "gap" | "waiting" | "closed";

/** The platform's classes store `target`, so their callbacks can be functions in flash. */
interface Owned {
  readonly target: ModbusMaster;
}

function onReadable(this: Serial & Owned): void {
  this.target.readable();
}

function onTimer(timer: Timer): void {
  (timer as Timer & Owned).target.onTimer();
}

/** Milliseconds from `then` to `now`: Time.ticks wraps. */
const elapsed = (then: number, now: number): number => (now - then) | 0;

/**
 * Modbus RTU master: one transaction at a time on a serial line.
 *
 * @throws RangeError from the constructor if an option is out of range
 */
export class ModbusMaster {
  readonly counters: Counters;
  private readonly serial: Serial;
  private readonly byteTime: number;
  private readonly gap: number;
  private readonly firstByteTimeout: number;

  private readonly received: ReceiveBuffer;
  /** One timer for the gap and for draining the FIFO. Never recreated: rescheduling allocates nothing. */
  private readonly timer: Timer;

  private state: State = "idle";
  private transaction: Transaction | undefined;
  private listener: ReplyListener | undefined;
  private retries = 0;
  private mismatched = false;

  /** When the bus was last in use: the end of a transaction, or a byte heard. */
  private lastActivity: number;
  /** When the current transaction started waiting for a quiet bus. */
  private gapSince = 0;
  /** When the last bit of the request has been sent. */
  private sentAt = 0;
  private lastByteAt = 0;

  constructor(options: MasterOptions) {
    const { serial, baud, gap = DEFAULT_GAP, firstByteTimeout = FIRST_BYTE_TIMEOUT } = options;
    if (!(gap >= MIN_GAP && gap <= MAX_GAP)) throw new RangeError(`gap ${gap} is not from ${MIN_GAP} to ${MAX_GAP} ms`);
    if (!(baud > 0)) throw new RangeError(`baud rate ${baud}`);
    const { io: SerialClass, ...pins } = serial;
    this.counters = options.counters ?? zeroCounters();
    this.byteTime = (BITS_PER_BYTE * 1000) / baud;
    this.gap = gap;
    this.firstByteTimeout = firstByteTimeout;
    this.received = new ReceiveBuffer(options.bufferBytes ?? DEFAULT_BUFFER_BYTES);
    this.lastActivity = Time.ticks;
    const pinned = { ...pins, baud, format: "buffer" as const, target: this, onReadable };
    // The class validates its own options: a host without pins passes none.
    this.serial = new SerialClass(pinned as unknown as ConstructorParameters<typeof Serial>[0]);
    try {
      this.timer = Object.assign(Timer.repeat(onTimer, POLL_INTERVAL), { target: this });
    } catch (error) {
      // It is tried again: the port must be free then.
      this.serial.close();
      throw error;
    }
    Timer.schedule(this.timer);
  }

  get busy(): boolean {
    return this.state === "gap" || this.state === "waiting";
  }

  /** ms that `transaction` takes at most per try, on a bus that nobody else uses. */
  tryTime(transaction: Transaction): number {
    return this.gap + this.wireTime(transaction.length) + this.replyTimeout(transaction) + POLL_INTERVAL;
  }

  /** The transaction whose request has been sent and whose reply may be on the wire. */
  get awaited(): Transaction | undefined {
    return this.state === "waiting" ? this.transaction : undefined;
  }

  /**
   * Starts `transaction`, which must not be touched until `listener` is called back.
   * @param retries after a request without a valid reply, 0 to 5; an exception is a reply and never retried
   * @throws Error if busy or closed, RangeError if the request or its reply is too long
   */
  start(transaction: Transaction, retries: number, listener: ReplyListener): void {
    if (this.state !== "idle") throw new Error(this.busy ? "a transaction is in progress" : "closed");
    if (transaction.length > MAX_REQUEST_BYTES) throw new RangeError(`request over ${MAX_REQUEST_BYTES} bytes`);
    if (transaction.longest + FIFO_BYTES > this.received.bytes.length)
      throw new RangeError("reply longer than the buffer");
    if (!(retries >= 0 && retries <= MAX_RETRIES)) throw new RangeError(`retries ${retries} not 0 to ${MAX_RETRIES}`);
    this.transaction = transaction;
    this.listener = listener;
    this.retries = retries;
    this.mismatched = this.received.retried = false;
    this.awaitQuiet();
  }

  /** Cancels the current transaction without a callback. A late reply to it is discarded. */
  cancel(): void {
    if (!this.busy) return;
    const transaction = this.transaction as Transaction;
    this.idle();
    transaction.awaited(false);
  }

  /** Cancels the current transaction and closes the serial port. */
  close(): void {
    if (this.state === "closed") return;
    this.cancel();
    this.state = "closed";
    Timer.clear(this.timer);
    this.serial.close();
  }

  /** Called by the serial port when bytes have arrived. */
  readable(): void {
    if (this.state === "waiting") this.advance();
    else if (this.state !== "closed") this.drain();
  }

  private awaitQuiet(): void {
    this.state = "gap";
    this.gapSince = Time.ticks;
    this.sendWhenQuiet();
  }

  private sendWhenQuiet(): void {
    this.drain();
    const now = Time.ticks;
    const rest = this.gap - elapsed(this.lastActivity, now);
    if (rest <= 0 || elapsed(this.gapSince, now) >= MAX_DEFERRAL) this.send(this.transaction as Transaction);
    // Plus one millisecond: the current tick may be nearly over.
    else this.every(rest + 1);
  }

  /** Same value for delay and interval: the SDK's Linux timers misbehave with different ones when rescheduled from their own callback. */
  private every(interval: number): void {
    Timer.schedule(this.timer, interval, interval);
  }

  /** Timer callback. */
  onTimer(): void {
    if (this.state === "gap") this.sendWhenQuiet();
    else if (this.state === "waiting") this.onTick();
  }

  private send(transaction: Transaction): void {
    this.received.begin();
    transaction.mismatches = transaction.checkErrors = 0;
    this.state = "waiting";
    const now = Time.ticks;
    this.sentAt = (now + this.wireTime(transaction.length)) | 0;
    this.lastByteAt = now;
    this.count("requests", 1);
    try {
      this.serial.write(transaction.request);
    } catch {
      // Nothing was sent: the request ends without a reply at the next deadline check.
      this.sentAt = (now - this.replyTimeout(transaction)) | 0;
    }
    this.every(transaction.longest > FIFO_BYTES ? DRAIN_INTERVAL : POLL_INTERVAL);
    transaction.awaited(true);
  }

  /** From the end of the request to the end of the slowest accepted reply. */
  private replyTimeout(transaction: Transaction): number {
    return this.firstByteTimeout + this.wireTime(transaction.longest) + REPLY_MARGIN;
  }

  private wireTime(bytes: number): number {
    return Math.ceil(bytes * this.byteTime);
  }

  private onTick(): void {
    // Read first: if the script was busy, the reply may be in the FIFO although the deadline has passed.
    const heard = this.advance();
    if (this.state !== "waiting") return;
    const transaction = this.transaction as Transaction;
    const now = Time.ticks;
    if (this.received.length && elapsed(this.lastByteAt, now) >= IDLE_GAP && this.judge(true)) return;
    const waited = elapsed(this.sentAt, now);
    // Noise must not hold the transaction beyond the time of its slowest reply.
    const pending = heard || this.received.length > 0;
    if (waited >= (pending ? this.replyTimeout(transaction) : this.firstByteTimeout)) this.timedOut(transaction);
  }

  /** Reads and parses received bytes. False: there were none. */
  private advance(): boolean {
    const { fifo } = this.received;
    let any = false;
    for (let reads = 0, count = FIFO_BYTES; reads < MAX_READS && count === FIFO_BYTES; reads++) {
      count = this.serial.read(fifo) ?? 0;
      if (!count) break;
      any = true;
      this.lastByteAt = this.lastActivity = Time.ticks;
      this.count("discarded", this.received.append(count));
      if (this.judge(false)) break;
    }
    return any;
  }

  /** Discards received bytes while no reply is awaited. */
  private drain(): void {
    const { fifo } = this.received;
    for (let reads = 0; reads < MAX_READS; reads++) {
      const count = this.serial.read(fifo);
      if (!count) break;
      this.count("discarded", count);
      this.lastActivity = Time.ticks;
    }
  }

  private discard(count: number): void {
    this.received.drop(count);
    this.count("discarded", count);
  }

  /** Looks for the reply in the received bytes. True: the transaction has ended. */
  private judge(idle: boolean): boolean {
    const transaction = this.transaction as Transaction;
    const received = this.received;
    while (received.length) {
      if (received.skipEcho(transaction, idle)) return false;
      if (!received.length) break;
      const verdict = transaction.judge(received.bytes, received.start, received.end, idle);
      if (verdict === WAIT) return false;
      if (verdict > 0) {
        this.replied(transaction, verdict);
        return true;
      }
      this.discard(-verdict);
    }
    return false;
  }

  private replied(transaction: Transaction, length: number): void {
    const received = this.received;
    const { bytes, start } = received;
    const exception = transaction.isException(bytes, start);
    if (exception) received.exception = bytes[start + 2] as number;
    this.count(exception ? "exceptions" : "replies", 1);
    this.count("crcErrors", transaction.checkErrors);
    this.counters.lastReplyTime = Math.max(0, elapsed(this.sentAt, Time.ticks));
    this.count("discarded", received.settle(length));
    this.finish(exception ? "exception" : "reply");
  }

  private timedOut(transaction: Transaction): void {
    this.discard(this.received.length);
    this.count("timeouts", 1);
    this.count("crcErrors", transaction.checkErrors);
    if (transaction.mismatches) this.mismatched = true;
    if (this.retries > 0) {
      this.retries--;
      this.received.retried = true;
      this.lastActivity = Time.ticks;
      this.awaitQuiet();
      transaction.awaited(false);
    } else this.finish(this.mismatched ? "mismatch" : "no-reply");
  }

  private finish(result: Result): void {
    const transaction = this.transaction as Transaction;
    const listener = this.listener as ReplyListener;
    this.idle();
    listener.answered(result, this.received);
    transaction.awaited(false);
  }

  private idle(): void {
    Timer.schedule(this.timer);
    this.state = "idle";
    this.transaction = this.listener = undefined;
    this.lastActivity = Time.ticks;
  }

  private count(counter: keyof Counters, by: number): void {
    this.counters[counter] = (this.counters[counter] + by) & 0x7fffffff;
  }
}
