import type { Bus } from "./bus";
import { MAX_ADDRESS, MAX_TRIES } from "./limits";
import { within } from "./pdu";
import type { Transaction } from "./transaction";
import type { Client, Counters, Reply, ReplyListener, Result } from "./types";

/**
 * An address on a bus: what is asked there, one transaction at a time. Stations of one bus take turns.
 *
 * @throws RangeError from the constructor for an address out of range, or beyond MAX_STATIONS
 */
export class Station implements Client {
  readonly bus: Bus;
  address: number;
  readonly counters: Counters;
  wroteAt: number | undefined;
  transaction: Transaction | undefined;
  tries = 1;
  private listener: ReplyListener | undefined;

  /** @param counters of this station's transactions; by default the bus's */
  constructor(bus: Bus, address: number, counters = bus.counters) {
    within("address", address, 0, MAX_ADDRESS);
    this.bus = bus;
    this.address = address;
    this.counters = counters;
    bus.add(this);
  }

  get busy(): boolean {
    return this.transaction !== undefined;
  }

  wroteTo(address: number): number | undefined {
    return address === this.address ? this.wroteAt : undefined;
  }

  /** ms that `transaction` takes at most per try, on a bus that nobody else uses. */
  tryTime(transaction: Transaction): number {
    transaction.seal(this.address);
    return this.bus.tryTime(transaction);
  }

  /**
   * Starts `transaction`, which must not be touched until `listener` is called back, or until it is cancelled.
   * @param tries requests sent until one has a valid reply, 1 to 6; an exception is a reply and never retried
   * @throws Error if busy or closed, RangeError if the request or its reply is too long
   */
  start(transaction: Transaction, tries: number, listener: ReplyListener): void {
    if (this.busy) throw new Error("a transaction is in progress");
    if (!(tries >= 1 && tries <= MAX_TRIES)) throw new RangeError(`tries ${tries} not 1 to ${MAX_TRIES}`);
    transaction.seal(this.address);
    this.bus.check(transaction);
    this.transaction = transaction;
    this.tries = tries;
    this.listener = listener;
    this.bus.request();
  }

  /** Cancels the transaction without a callback. A late reply to it is discarded. */
  cancel(): void {
    if (!this.transaction) return;
    this.dropped();
    this.bus.cancelled(this);
  }

  /** Cancels the transaction and leaves the bus. */
  close(): void {
    this.cancel();
    this.bus.remove(this);
  }

  ended(result: Result, reply: Reply): void {
    const listener = this.listener as ReplyListener;
    this.dropped();
    listener.answered(result, reply);
  }

  dropped(): void {
    this.transaction = this.listener = undefined;
  }
}
