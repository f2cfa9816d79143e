import { onReadable, onTimer } from "door/enter";
import type Serial from "embedded:io/serial";
import Time from "time";
import Timer from "timer";
import {
  BITS_PER_BYTE,
  DEFAULT_BUFFER_BYTES,
  DEFAULT_GAP,
  FIFO_BYTES,
  FIRST_BYTE_TIMEOUT,
  FIRST_LISTEN,
  IDLE_GAP,
  LATE_ACKNOWLEDGEMENT,
  LATE_REPLIES,
  LATE_REPLY,
  MAX_DEFERRAL,
  MAX_GAP,
  MAX_OWED,
  MAX_READS,
  MAX_REQUEST_BYTES,
  MAX_SILENCE,
  MAX_STATIONS,
  MIN_GAP,
  OWED_FOR,
  POLL_INTERVAL,
  REPLY_MARGIN,
  SLOW_FIRST_BYTE_TIMEOUT,
} from "./limits";
import { ForeignMaster } from "./foreign-master";
import { ReceiveBuffer } from "./receive-buffer";
import { EXCEPTION_BIT, READ_HOLDING_REGISTERS, SHORT_PDU_BYTES, WRITE_MULTIPLE_REGISTERS } from "./pdu";
import { frameAt, isAcknowledgement, isReply, isRequest, NO_FRAME, PDU, SHORT_ADU_BYTES, UNFINISHED } from "./rtu";
import { WAIT, type Transaction } from "./transaction";
import {
  ECHO,
  NOISE,
  OTHERS,
  SILENCE,
  zeroCounters,
  type BusOptions,
  type Client,
  type Counters,
  type Result,
  type Sniffer,
} from "./types";

/** gap: waiting until the bus has been quiet long enough. waiting: the request has been sent. ending: a listener is being called. */
type State = "idle" | "gap" | "waiting" | "ending" | "closed";

/** The counters of what came instead of a reply, SILENCE to ECHO. */
const INSTEAD: readonly (keyof Counters)[] = Object.freeze(["silences", "noises", "others", "echoes"] as const, true);

/** Milliseconds from `then` to `now`: Time.ticks wraps. */
const elapsed = (then: number, now: number): number => (now - then) | 0;

/**
 * A serial line with Modbus RTU on it, of which this is the master: owns the port, keeps the turnaround gap, and lets its stations take
 * turns, one transaction at a time.
 *
 * @throws RangeError from the constructor if an option is out of range
 */
export class Bus {
  readonly part = "bus";
  readonly counters: Counters;
  private readonly serial: Serial;
  private readonly byteTime: number;
  private readonly gap: number;
  private readonly firstByteTimeout: number;

  readonly foreign: ForeignMaster;
  private readonly sniffer: Sniffer | undefined;
  private readonly received: ReceiveBuffer;
  /** One timer for the gap and for looking for bytes. Never recreated: rescheduling allocates nothing. */
  private readonly timer: Timer;

  private readonly stations: Client[] = [];
  /** Index of the station that is next. */
  private turn = 0;
  private state: State = "idle";
  /** The station whose transaction is in progress. */
  private asked: Client | undefined;
  private triesLeft = 0;
  private mismatched = false;

  /** When the bus was last in use, ticks: it was opened, a transaction ended, or a byte was heard. */
  lastActivity: number;
  /** When the current transaction started waiting for a quiet bus. */
  private gapSince = 0;
  /** When the last bit of the request has been sent. */
  private sentAt = 0;
  private lastByteAt = 0;
  /** Bytes received since the request was sent; and another than the addressed slave has spoken since. */
  private heard = 0;
  private othersHeard = false;
  private readonly openedAt = Time.ticks;
  /** Beginning of the last request that was not answered in time, as one of its station: it may be answered yet, by so many bytes. */
  private readonly owed = new Uint8Array(PDU + SHORT_PDU_BYTES);
  private owedBytes = 0;
  private owedAt = 0;
  /** Two bits for each address, of which there are 16: how many replies in a row were late; LATE_REPLIES stays. */
  private lateness = 0;
  /** A request was cancelled whose echo may still be coming. */
  private echoDue = false;
  /** The slave that answered last; nothing but zeros has been heard since, and no request sent. */
  private answered = 0;
  private mayBeSecond = false;
  /** By address, of which there are 16: a byte that tells its last reply from others; behind them the replies that it owes. */
  private readonly marks = new Uint8Array(32);
  /** When one was last missed, and when another master was heard, ticks. */
  private lostAt = this.openedAt;
  private foreignAt = (this.openedAt - MAX_SILENCE) | 0;

  constructor(options: BusOptions) {
    const { serial, baud, gap = DEFAULT_GAP, firstByteTimeout = FIRST_BYTE_TIMEOUT } = options;
    if (!(gap >= MIN_GAP && gap <= MAX_GAP)) throw new RangeError(`gap ${gap} is not from ${MIN_GAP} to ${MAX_GAP} ms`);
    if (!(baud > 0)) throw new RangeError(`baud rate ${baud}`);
    const { io: SerialClass, ...pins } = serial;
    this.counters = options.counters ?? zeroCounters();
    this.byteTime = (BITS_PER_BYTE * 1000) / baud;
    this.gap = gap;
    this.firstByteTimeout = firstByteTimeout;
    this.received = new ReceiveBuffer(options.bufferBytes ?? DEFAULT_BUFFER_BYTES);
    this.foreign = new ForeignMaster(options.mode ?? "poll");
    this.sniffer = options.sniffer;
    this.lastActivity = this.openedAt;
    // What was asked before this port was opened may still be answered.
    this.marks.fill(MAX_OWED, 16);
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

  /** A transaction waits for a quiet bus or for its reply. */
  get busy(): boolean {
    return this.state === "gap" || this.state === "waiting";
  }

  /** The transaction whose request has been sent and whose reply may be on the wire. */
  get awaited(): Transaction | undefined {
    return this.state === "waiting" ? this.asked?.transaction : undefined;
  }

  /** Cancels all transactions and closes the serial port. */
  close(): void {
    if (this.state === "closed") return;
    this.idle();
    for (const station of this.stations) station.dropped();
    this.state = "closed";
    Timer.clear(this.timer);
    this.serial.close();
  }

  /** The rest is called by stations. */
  add(station: Client): void {
    if (this.stations.length >= MAX_STATIONS) throw new RangeError(`more than ${MAX_STATIONS} stations`);
    this.stations.push(station);
  }

  remove(station: Client): void {
    const at = this.stations.indexOf(station);
    if (at < 0) return;
    this.stations.splice(at, 1);
    if (this.turn > at) this.turn--;
  }

  /** ms that `transaction` takes at most per try, on a bus that nobody else uses. */
  tryTime(transaction: Transaction): number {
    return this.gap + this.wireTime(transaction.length) + this.replyTimeout(transaction) + POLL_INTERVAL;
  }

  /** Throws if `transaction` cannot be started. */
  check(transaction: Transaction): void {
    if (this.state === "closed") throw new Error("closed");
    if (transaction.length > MAX_REQUEST_BYTES) throw new RangeError(`request over ${MAX_REQUEST_BYTES} bytes`);
    if (transaction.longest + FIFO_BYTES > this.received.room) throw new RangeError("reply longer than the buffer");
  }

  /** A station has a transaction. */
  request(): void {
    if (this.state === "idle") this.next();
  }

  /** A station has dropped its transaction. */
  cancelled(station: Client): void {
    if (station !== this.asked) return;
    this.echoDue = this.state === "waiting";
    if (this.echoDue) this.missed(station.address);
    this.idle();
    this.next();
  }

  /** Called by the serial port when bytes have arrived. */
  readable(): void {
    if (this.state === "waiting") this.advance();
    else if (this.state !== "closed") this.listen();
  }

  /** Begins the transaction of the next station that has one. */
  private next(): void {
    const { stations } = this;
    const count = stations.length;
    let { turn } = this;
    let step = 0;
    let station: Client;
    while (step < count) {
      if (turn >= count) turn = 0;
      station = stations[turn++] as Client;
      step++;
      if (!station.transaction) continue;
      this.turn = turn;
      this.asked = station;
      this.triesLeft = station.tries;
      this.mismatched = this.received.retried = false;
      this.awaitQuiet();
      return;
    }
  }

  private awaitQuiet(): void {
    this.state = "gap";
    this.gapSince = Time.ticks;
    this.sendWhenQuiet();
  }

  private sendWhenQuiet(): void {
    this.listen();
    const now = Time.ticks;
    const waited = elapsed(this.gapSince, now);
    const { foreign } = this;
    // Never from within `start`.
    if (foreign.listening) return waited ? this.withhold() : this.every(POLL_INTERVAL);
    const rest = this.gap - elapsed(this.lastActivity, now);
    // Plus one millisecond: the current tick may be nearly over.
    if (rest > 0 && waited < MAX_DEFERRAL) return this.every(rest + 1);
    // What looked incomplete may be another master's request behind noise.
    if (this.received.rest) this.parseForeign(true);
    const { wait } = foreign;
    if (!wait) this.send(this.asked as Client);
    else this.every(foreign.listening ? POLL_INTERVAL : wait + 1);
  }

  /** Same value for delay and interval: the SDK's Linux timers misbehave with different ones when rescheduled from their own callback. */
  private every(interval: number): void {
    Timer.schedule(this.timer, interval, interval);
  }

  /** Timer callback. */
  tick(): void {
    if (this.state === "gap") this.sendWhenQuiet();
    else if (this.state === "waiting") this.onTick();
  }

  private send(asked: Client): void {
    const { transaction, counters } = asked;
    if (!transaction) return;
    this.echoDue = this.mayBeSecond = false;
    this.received.begin();
    this.heard = 0;
    this.othersHeard = false;
    this.triesLeft--;
    transaction.mismatches = transaction.checkErrors = transaction.enough = 0;
    this.state = "waiting";
    const now = Time.ticks;
    this.sentAt = (now + this.wireTime(transaction.length)) | 0;
    this.lastByteAt = now;
    if (transaction.functionCode === WRITE_MULTIPLE_REGISTERS) asked.wroteAt = now;
    add(counters, "requests", 1);
    try {
      this.serial.write(transaction.request);
    } catch {
      // Nothing was sent: the request ends without a reply at the next deadline check.
      this.sentAt = (now - this.replyTimeout(transaction)) | 0;
    }
    this.every(POLL_INTERVAL);
  }

  private latenessOf(address: number): number {
    return (this.lateness >> (2 * (address & 15))) & LATE_REPLIES;
  }

  private setLateness(address: number, count: number): void {
    const shift = 2 * (address & 15);
    this.lateness = (this.lateness & ~(LATE_REPLIES << shift)) | (count << shift);
  }

  private firstByteOf({ address }: Transaction): number {
    const { firstByteTimeout, lateness } = this;
    // Most buses have no such slave, and this is asked every POLL_INTERVAL.
    if (!lateness) return firstByteTimeout;
    return this.latenessOf(address) === LATE_REPLIES
      ? Math.max(SLOW_FIRST_BYTE_TIMEOUT, firstByteTimeout)
      : firstByteTimeout;
  }

  /** From the end of the request to the end of the slowest accepted reply. */
  private replyTimeout(transaction: Transaction): number {
    return this.firstByteOf(transaction) + this.wireTime(transaction.longest) + REPLY_MARGIN;
  }

  private wireTime(bytes: number): number {
    return Math.ceil(bytes * this.byteTime);
  }

  private onTick(): void {
    // Read first: if the script was busy, the reply may be in the FIFO although the deadline has passed.
    const arrived = this.advance();
    if (this.state !== "waiting") return;
    const now = Time.ticks;
    if (this.received.rest && elapsed(this.lastByteAt, now) >= IDLE_GAP && this.judge(true)) return;
    const waited = elapsed(this.sentAt, now);
    const asked = this.asked as Client;
    const transaction = asked.transaction as Transaction;
    // A reply that came damaged does not come again.
    const isOver = transaction.checkErrors > 0 && elapsed(this.lastByteAt, now) >= IDLE_GAP;
    if (waited < this.firstByteOf(transaction) && !isOver) return;
    // Noise must not hold the transaction beyond the time of its slowest reply.
    const pending = arrived || this.received.rest > 0;
    if (!pending || waited >= this.replyTimeout(transaction)) this.timedOut(asked, transaction);
  }

  /** Reads and parses received bytes. False: there were none. */
  private advance(): boolean {
    const { received } = this;
    let reads = 0;
    let count: number;
    // Not a `for` with its own variables: XS recreates them in each iteration.
    do {
      count = this.serial.read(received.fifo) ?? 0;
      if (!count) break;
      this.lastByteAt = this.lastActivity = Time.ticks;
      this.heard += count;
      this.take(count);
      reads++;
    } while (!this.judge(false) && count === FIFO_BYTES && reads < MAX_READS);
    return reads > 0;
  }

  private take(count: number): void {
    const dropped = this.received.append(count);
    if (dropped) add(this.counters, "discarded", dropped);
  }

  /** Reads what is said while no reply is awaited. */
  private listen(): void {
    const { received } = this;
    let reads = 0;
    let count = this.serial.read(received.fifo);
    while (count) {
      this.take(count);
      this.lastActivity = Time.ticks;
      this.parseForeign(false);
      reads++;
      count = reads < MAX_READS ? this.serial.read(received.fifo) : 0;
    }
  }

  /** Parses traffic addressed to others. */
  private parseForeign(idle: boolean): void {
    const { received } = this;
    const { bytes } = received;
    received.release();
    while (received.rest) {
      const { start, end } = received;
      const listening = this.foreign.listening;
      const sniffer = listening || this.mayBeSecond ? this.sniffer : undefined;
      let length = sniffer ? sniffer.sniff(bytes, start, end, idle, !listening) : NO_FRAME;
      if (length === UNFINISHED) return;
      if (length > 0 && frameAt(bytes, start + length, end) === SHORT_ADU_BYTES)
        this.compare(
          bytes[start + length] as number,
          start + length + SHORT_ADU_BYTES,
          bytes[start + length - 1] as number,
        );
      if (length < 0) {
        length = frameAt(bytes, start, end);
        if (length === UNFINISHED && !idle) return;
        if (length > 0) this.passed(start, length);
        else length = 1;
      }
      if (listening && length > 1) received.drop(length);
      else this.discard(length);
    }
  }

  /** A whole frame has been heard that is no reply to us: what proves another master? */
  private passed(start: number, length: number): void {
    const { bytes } = this.received;
    const address = bytes[start] as number;
    const isAnswer = isReply(bytes, start, length);
    if (isAnswer) this.compare(address, start + length, 0);
    if (this.isLate(start, length)) return;
    if (address !== this.awaited?.address) this.othersHeard = true;
    if (isRequest(bytes, start, length) ? this.isEcho(start, length) : !this.isUnasked(start, length)) {
      if (isAnswer && !this.mayBeInTime(address)) this.answeredLate(address);
      return;
    }
    add(this.counters, "foreign", 1);
    this.foreignAt = Time.ticks;
    this.foreign.onFrame();
    // What waits for a quiet bus ends soon, withheld: its station could not hear meanwhile.
    if (this.state === "gap") this.every(POLL_INTERVAL);
  }

  /**
   * Whether a reply from there may be one to the last request: the rest of a damaged one, the one before once more, or that of another slave with the
   * same address.
   */
  private mayBeInTime(address: number): boolean {
    const { awaited } = this;
    if (awaited) return address === awaited.address;
    return address === this.answered && elapsed(this.sentAt, Time.ticks) < SLOW_FIRST_BYTE_TIMEOUT;
  }

  /** Whether the request at `start` may be ours: skipped as an echo only where nothing precedes it. */
  private isEcho(start: number, length: number): boolean {
    const { received } = this;
    if (this.echoDue && elapsed(this.sentAt, Time.ticks) < IDLE_GAP) return true;
    const transaction = this.awaited;
    if (!transaction || received.echoed || length !== transaction.length) return false;
    for (let at = 0; at < length; at++) if (received.bytes[start + at] !== transaction.adu[at]) return false;
    received.echoed = true;
    return true;
  }

  /** Whether the frame at `start` acknowledges a write that was not ours. */
  private isUnasked(start: number, length: number): boolean {
    const { bytes } = this.received;
    if (!isAcknowledgement(bytes, start, length)) return false;
    const now = Time.ticks;
    // It may be an answer to what was asked before this port was opened.
    if (elapsed(this.openedAt, now) >>> 0 < FIRST_LISTEN) return false;
    for (const station of this.stations) {
      const wroteAt = station.wroteTo(bytes[start] as number);
      if (wroteAt !== undefined && elapsed(wroteAt, now) >>> 0 < LATE_ACKNOWLEDGEMENT) return false;
    }
    // What repeats our own write, but for the address, is a reply gone wrong: another master's request would have been heard. Only a JK
    // pack with address 0 acknowledges without a request: it is the master.
    const write = this.awaited;
    if (bytes[start] === 0 || write?.functionCode !== WRITE_MULTIPLE_REGISTERS) return true;
    for (let at = 2; at < PDU + SHORT_PDU_BYTES; at++) if (bytes[start + at] !== write.adu[at]) return true;
    return false;
  }

  /** Whether the frame at `start` answers the request that is owed an answer: by its length, and by the order of the two if it has none. */
  private isLate(start: number, length: number): boolean {
    const { owed, owedBytes } = this;
    const { bytes } = this.received;
    const [address, functionCode] = owed as unknown as readonly [number, number];
    if (!owedBytes || bytes[start] !== address || elapsed(this.owedAt, Time.ticks) >>> 0 >= LATE_REPLY) return false;
    if (bytes[start + 1] !== (functionCode | EXCEPTION_BIT)) {
      if (bytes[start + 1] !== functionCode || length !== owedBytes) return false;
      if (functionCode !== READ_HOLDING_REGISTERS)
        for (let at = 2; at < owed.length; at++) if (bytes[start + at] !== owed[at]) return false;
    }
    this.owedBytes = 0;
    add(this.counters, "late", 1);
    const { awaited } = this;
    // It is no reply to something else.
    if (awaited?.mismatches && awaited.address === address) awaited.mismatches--;
    this.setLateness(address, Math.min(this.latenessOf(address) + 1, LATE_REPLIES));
    // Sooner it is slow: it is waited for.
    if (elapsed(this.owedAt, Time.ticks) >= SLOW_FIRST_BYTE_TIMEOUT) this.answeredLate(address);
    return true;
  }

  private answeredLate(address: number): void {
    if (this.isAlone) this.sniffer?.answeredLate(address);
  }

  /** Whether the request that is owed an answer asked for something else at the same address. */
  private owesOther({ adu }: Transaction): boolean {
    const { owed } = this;
    for (let at = 0; at < owed.length; at++) if (adu[at] !== owed[at]) return true;
    return false;
  }

  /** A reply that nobody waits for ends at `end`: the second to the request that has been answered? @param mark see Transaction */
  private compare(address: number, end: number, mark: number): void {
    if (!this.mayBeSecond || address !== this.answered) return;
    if (this.isNew(address, end, mark)) this.answeredTwice();
  }

  /** Whether the reply that ends at `end` is not the one that came from there before. */
  private isNew(address: number, end: number, mark: number): boolean {
    const { marks } = this;
    const at = address & 15;
    const before = marks[at];
    marks[at] = mark ^ (this.received.bytes[end - 1] as number);
    return marks[at] !== before;
  }

  /** A reply is still to come from there. */
  private missed(address: number): void {
    const { marks } = this;
    const at = 16 + (address & 15);
    if (!this.isOwing) marks.fill(0, 16);
    this.lostAt = Time.ticks;
    marks[at] = Math.min((marks[at] as number) + 1, MAX_OWED);
  }

  private get isOwing(): boolean {
    return elapsed(this.lostAt, Time.ticks) >>> 0 < OWED_FOR;
  }

  /** Two replies have come, or parts of them: of two slaves, unless one was owed, or is meant for another master. */
  private answeredTwice(): void {
    const { answered, marks } = this;
    const at = 16 + (answered & 15);
    this.mayBeSecond = false;
    if (marks[at] && this.isOwing) marks[at]--;
    else if (this.isAlone) this.sniffer?.answeredTwice(answered);
  }

  /** No other master has been heard, who may have asked. */
  private get isAlone(): boolean {
    return elapsed(this.foreignAt, Time.ticks) >>> 0 >= MAX_SILENCE;
  }

  private discard(count: number): void {
    // A driver that is switched on or off may be heard as a zero.
    if (this.received.bytes[this.received.start]) this.mayBeSecond = false;
    this.received.drop(count);
    add(this.counters, "discarded", count);
  }

  /** Looks for the reply in the received bytes. True: the transaction has ended. */
  private judge(idle: boolean): boolean {
    const asked = this.asked as Client;
    const transaction = asked.transaction as Transaction;
    const received = this.received;
    let verdict = 0;
    let rest = received.rest;
    while (rest && (idle || rest >= transaction.enough)) {
      if (received.skipEcho(transaction, idle)) return false;
      if (received.start === received.end) break;
      verdict = transaction.judge(received.bytes, received.start, received.end, idle);
      if (verdict === WAIT) return false;
      if (verdict > 0 && this.owedBytes && this.owesOther(transaction) && this.isLate(received.start, verdict))
        verdict = -verdict;
      else if (verdict < -1) this.passed(received.start, -verdict);
      if (verdict > 0) {
        this.replied(asked, transaction, verdict);
        return true;
      }
      this.discard(-verdict);
      rest = received.rest;
    }
    return false;
  }

  private replied(asked: Client, transaction: Transaction, length: number): void {
    const { counters } = asked;
    const received = this.received;
    const { bytes, start } = received;
    const exception = transaction.isException(bytes, start);
    if (exception) received.exception = bytes[start + 2] as number;
    add(counters, exception ? "exceptions" : "replies", 1);
    if (transaction.checkErrors) add(counters, "crcErrors", transaction.checkErrors);
    counters.lastReplyTime = Math.max(0, elapsed(this.sentAt, Time.ticks));
    received.settle(length);
    this.answered = asked.address;
    this.mayBeSecond = true;
    if (!this.isNew(asked.address, start + length, transaction.mark)) this.missed(asked.address);
    // Another one began before it.
    else if (transaction.checkErrors) this.answeredTwice();
    // Of a repeated request it may be the reply to the first one: the next decides.
    if (this.lateness && !received.retried && this.latenessOf(asked.address) < LATE_REPLIES)
      this.setLateness(asked.address, 0);
    this.finish(asked, exception ? "exception" : "reply");
  }

  private timedOut(asked: Client, transaction: Transaction): void {
    const { counters } = asked;
    this.parseForeign(true);
    add(counters, "timeouts", 1);
    add(counters, "crcErrors", transaction.checkErrors);
    if (!transaction.checkErrors) {
      this.owed.set(transaction.adu.subarray(0, this.owed.length));
      this.owedBytes = transaction.functionCode === READ_HOLDING_REGISTERS ? transaction.longest : SHORT_ADU_BYTES;
      this.owedAt = (this.sentAt - this.wireTime(transaction.length)) | 0;
      this.missed(asked.address);
    }
    if (transaction.mismatches) this.mismatched = true;
    else this.countInstead(counters, transaction);
    if (this.triesLeft > 0) {
      this.received.retried = true;
      this.lastActivity = Time.ticks;
      this.awaitQuiet();
    } else this.finish(asked, this.mismatched ? "mismatch" : "no-reply");
  }

  private countInstead(counters: Counters, { length }: Transaction): void {
    const { heard, othersHeard, received } = this;
    counters.instead = !heard ? SILENCE : othersHeard ? OTHERS : received.echoed && heard === length ? ECHO : NOISE;
    add(counters, INSTEAD[counters.instead] as keyof Counters, 1);
  }

  private withhold(): void {
    this.finish(this.asked as Client, "withheld");
  }

  private finish(asked: Client, result: Result): void {
    this.idle();
    // Another transaction of the same station must not begin before the others had their turn.
    this.state = "ending";
    try {
      asked.ended(result, this.received);
    } finally {
      // The listener may have closed the bus.
      if (this.awaitsTurn) {
        this.state = "idle";
        if (this.received.rest) this.parseForeign(false);
        this.next();
      }
    }
  }

  private get awaitsTurn(): boolean {
    return this.state === "ending";
  }

  private idle(): void {
    Timer.schedule(this.timer);
    this.state = "idle";
    this.asked = undefined;
    this.lastActivity = Time.ticks;
  }
}

function add(counters: Counters, counter: keyof Counters, by: number): void {
  counters[counter] = (counters[counter] + by) & 0x7fffffff;
}
