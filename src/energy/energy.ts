import type KeyValueStorage from "embedded:storage/key-value";
import Time from "time";
import type { BusPack } from "../packs/types";
import type { Settings } from "../settings/types";
import { JouleCounter } from "./counter";
import { MAX_GAP_POLLS, MAX_STORE_INTERVAL, MIN_GAP_LIMIT, MIN_STORE_INTERVAL, STORE_ENERGY } from "./limits";
import { readCounters, writeCounters } from "./stored-counters";
import type { Counters, Energy } from "./types";

export interface EnergyOptions {
  readonly storage: typeof KeyValueStorage;
  /** Reports storage failures. */
  readonly settings: Pick<Settings, "noteStored">;
}

/** Power of a pack of which none is known, and time of its last reply if there was none. */
const UNKNOWN = -0x8000_0000;

/**
 * Charged and discharged energy, integrated from each pack's power between its valid replies (trapezoidal rule): never from the power of all, which
 * jumps when one falls silent. One pair of counters has the sum. A gap of more than MAX_GAP_POLLS polls is not counted. If the power changes sign between two replies, each direction is ramped
 * to or from zero over the whole interval, which keeps the difference of the counters exact.
 *
 * Stored rarely, see limits.ts: a power cut loses the energy since the last store, at most 100 Wh (above 6 kW: one
 * minute's worth) and at most 15 minutes' worth. Calling `store` before a planned restart loses less than a joule per
 * counter.
 */
export class PackEnergy implements Energy {
  private readonly settings: EnergyOptions["settings"];
  private readonly storage: typeof KeyValueStorage;
  private readonly in = new JouleCounter();
  private readonly out = new JouleCounter();
  /** Undefined: the stored counters have not been loaded yet and must not be overwritten. */
  stored: Counters | undefined;
  /** Time of the last store, ticks. */
  private storedAt = Time.ticks;

  /** Of each pack the last valid reply since it came online, if any: power in mW, positive when charging, and its time in ticks. */
  private replies = Int32Array.of(UNKNOWN, UNKNOWN);

  constructor({ storage, settings }: EnergyOptions) {
    this.settings = settings;
    this.storage = storage;
    this.restore();
  }

  /** Whole joules, including those not stored yet. */
  get chargedJoules(): number {
    return this.in.joules;
  }

  get dischargedJoules(): number {
    return this.out.joules;
  }

  /**
   * Call at each valid reply.
   * @param power of the pack, mW, positive when charging
   * @returns ms before it, up to 49 days, of which it is unknown what the pack did
   */
  update({ cycle, index }: Pick<BusPack, "cycle" | "index">, power: number): number {
    const place = 2 * index;
    if (place >= this.replies.length) this.grow(place + 2);
    const { replies } = this;
    const now = Time.ticks;
    const before = replies[place + 1] as number;
    const time = (now - before) | 0;
    const from = replies[place] as number;
    const limit = Math.max(MAX_GAP_POLLS * cycle, MIN_GAP_LIMIT);
    const isBridged = from !== UNKNOWN && time > 0 && time <= limit;
    if (isBridged) {
      if (from > 0 || power > 0) this.in.add(Math.max(from, 0), Math.max(power, 0), time);
      if (from < 0 || power < 0) this.out.add(Math.max(-from, 0), Math.max(-power, 0), time);
    }
    replies[place] = power;
    replies[place + 1] = now;
    this.storeWhenDue(now);
    return isBridged || before === UNKNOWN ? 0 : time >>> 0;
  }

  /** There may be other packs at the same places. */
  forget(): void {
    this.replies.fill(UNKNOWN);
  }

  /** Call when a pack goes offline: integration restarts at its next reply. */
  interrupt(index: number): void {
    if (2 * index < this.replies.length) this.replies[2 * index] = UNKNOWN;
  }

  private grow(length: number): void {
    const { replies } = this;
    this.replies = new Int32Array(length).fill(UNKNOWN);
    this.replies.set(replies);
  }

  /** Stores the counters now: call before a planned restart. */
  store(): void {
    this.storedAt = Time.ticks;
    if (!this.stored && !this.restore()) return;
    const counters = { charged: this.in.joules, discharged: this.out.joules };
    if (!this.unstored) return;
    const stored = writeCounters(this.storage, counters);
    if (stored) this.stored = counters;
    this.settings.noteStored("unwritable-energy", stored);
  }

  /** Joules that a power cut would lose. */
  private get unstored(): number {
    const { charged, discharged } = this.stored ?? { charged: 0, discharged: 0 };
    return this.in.joules + this.out.joules - charged - discharged;
  }

  private storeWhenDue(now: number): void {
    const elapsed = (now - this.storedAt) | 0;
    // Negative: more than half the tick range has elapsed.
    if (elapsed >= 0 && elapsed < MIN_STORE_INTERVAL) return;
    if (this.unstored >= STORE_ENERGY || elapsed < 0 || elapsed >= MAX_STORE_INTERVAL) this.store();
  }

  /** False: the storage cannot be read yet. */
  private restore(): boolean {
    const stored = readCounters(this.storage);
    if (!stored) return false;
    this.in.addJoules(stored.charged);
    this.out.addJoules(stored.discharged);
    this.stored = stored;
    return true;
  }
}
