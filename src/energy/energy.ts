import type KeyValueStorage from "embedded:storage/key-value";
import Time from "time";
import type { Settings } from "../settings/types";
import { JouleCounter } from "./counter";
import { MAX_GAP_POLLS, MAX_STORE_INTERVAL, MIN_GAP_LIMIT, MIN_STORE_INTERVAL, STORE_ENERGY } from "./limits";
import { readCounters, writeCounters } from "./stored-counters";
import type { Counters, Energy } from "./types";

export interface EnergyOptions {
  readonly storage: typeof KeyValueStorage;
  /** For the poll interval. */
  readonly settings: Pick<Settings, "bms">;
}

/**
 * What went into and out of the pack, integrated from its power between valid replies (trapezoid). A gap of more than MAX_GAP_POLLS polls
 * counts as nothing. When the power changes its sign between two replies, each direction ends or begins at zero at the other reply, which
 * keeps the difference of the counters exact.
 *
 * Stored rarely, see limits.ts: a power cut costs the energy since the last time, at most 100 Wh (above 6 kW: a minute's) and at most
 * 15 minutes' worth. `store` at a wanted end loses nothing but a joule.
 */
export class PackEnergy implements Energy {
  private readonly settings: Pick<Settings, "bms">;
  private readonly storage: typeof KeyValueStorage;
  private readonly in = new JouleCounter();
  private readonly out = new JouleCounter();
  /** Undefined: what the storage holds is not in the counters yet, and must not be written over. */
  private _stored: Counters | undefined;
  /** When they were last stored, ticks. */
  private storedAt = Time.ticks;

  /** The last valid reply since the BMS came online, if there was one: power in mW, positive when charging, and when, ticks. */
  private power: number | undefined;
  private at = 0;

  constructor({ storage, settings }: EnergyOptions) {
    this.settings = settings;
    this.storage = storage;
    this.restore();
  }

  get stored(): Counters | undefined {
    return this._stored;
  }

  /** Whole joules, those not stored yet included. */
  get chargedJoules(): number {
    return this.in.joules;
  }

  get dischargedJoules(): number {
    return this.out.joules;
  }

  /** To be told the pack's power, mW, positive when charging, with each valid reply. */
  update(power: number): void {
    const now = Time.ticks;
    const time = (now - this.at) | 0;
    const from = this.power;
    const limit = Math.max(MAX_GAP_POLLS * this.settings.bms.interval, MIN_GAP_LIMIT);
    if (from !== undefined && time > 0 && time <= limit) {
      if (from > 0 || power > 0) this.in.add(Math.max(from, 0), Math.max(power, 0), time);
      if (from < 0 || power < 0) this.out.add(Math.max(-from, 0), Math.max(-power, 0), time);
    }
    this.power = power;
    this.at = now;
    this.storeWhenDue(now);
  }

  /** To be told when the BMS has gone: the next reply begins anew. */
  interrupt(): void {
    this.power = undefined;
  }

  /** Stores the counters now: before a wanted restart. */
  store(): void {
    this.storedAt = Time.ticks;
    if (!this._stored && !this.restore()) return;
    const counters = { charged: this.in.joules, discharged: this.out.joules };
    if (this.unstored && writeCounters(this.storage, counters)) this._stored = counters;
  }

  /** Joules that a power cut would cost. */
  private get unstored(): number {
    const { charged, discharged } = this._stored ?? { charged: 0, discharged: 0 };
    return this.in.joules + this.out.joules - charged - discharged;
  }

  private storeWhenDue(now: number): void {
    const elapsed = (now - this.storedAt) | 0;
    // Below zero: more than half the range of the ticks.
    if (elapsed >= 0 && elapsed < MIN_STORE_INTERVAL) return;
    if (this.unstored >= STORE_ENERGY || elapsed < 0 || elapsed >= MAX_STORE_INTERVAL) this.store();
  }

  /** False: the storage cannot be read yet. */
  private restore(): boolean {
    const stored = readCounters(this.storage);
    if (!stored) return false;
    this.in.addJoules(stored.charged);
    this.out.addJoules(stored.discharged);
    this._stored = stored;
    return true;
  }
}
