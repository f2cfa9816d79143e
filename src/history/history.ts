import { cellMask, cellVoltage, highestCell, lowestCell } from "jk-bms/cells";
import { FIELDS, readRaw } from "jk-bms/fields";
import { packPower } from "../bms/computed";
import type { Monitor } from "../bms/types";
import { POWER_UNIT, SLOT_SECONDS, SLOTS } from "./limits";

/** In the place of the state of charge: no valid reply came in this slot. */
const GAP = 255;
const MILLIWATTS = 1_000;

export interface HistoryOptions {
  /** Whole seconds since the start. */
  uptime(): number;
}

/**
 * The pack over the last 12 hours: slot n is the time from n to n + 1 times SLOT_SECONDS after the start. A slot holds the last state of
 * charge, the mean power, and the lowest and highest cell voltage of all its replies; nothing when there was none.
 */
export class History {
  readonly #clock: HistoryOptions;
  /** Slot n is at place n modulo SLOTS. */
  readonly #soc = new Uint8Array(SLOTS).fill(GAP);
  readonly #power = new Int16Array(SLOTS);
  readonly #lowest = new Uint16Array(SLOTS);
  readonly #highest = new Uint16Array(SLOTS);
  /** The slot written last, and what its mean is made of. */
  #newest = -1;
  #milliwatts = 0;
  #replies = 0;

  constructor(clock: HistoryOptions) {
    this.#clock = clock;
  }

  /** Whole seconds since the start. */
  get now(): number {
    return this.#clock.uptime();
  }

  /** To be told with each valid reply. */
  update(monitor: Monitor): void {
    const { telemetry } = monitor;
    if (!cellMask(telemetry)) return;
    const slot = Math.floor(this.#clock.uptime() / SLOT_SECONDS);
    if (slot !== this.#newest) this.begin(slot);
    const place = slot % SLOTS;
    const lowest = cellVoltage(telemetry, lowestCell(telemetry));
    const highest = cellVoltage(telemetry, highestCell(telemetry));
    this.#milliwatts += packPower(monitor);
    this.#replies++;
    this.#soc[place] = Math.min(readRaw(telemetry, FIELDS.soc), GAP - 1);
    this.#power[place] = powerUnits(this.#milliwatts / this.#replies);
    this.#lowest[place] = Math.min(this.#lowest[place] as number, lowest);
    this.#highest[place] = Math.max(this.#highest[place] as number, highest);
  }

  /** Whether there is anything in `slot`. */
  has(slot: number): boolean {
    return slot >= 0 && slot > this.#newest - SLOTS && slot <= this.#newest && this.#soc[slot % SLOTS] !== GAP;
  }

  /** Per cent. Of a slot that the history `has`, as the others. */
  soc(slot: number): number {
    return this.#soc[slot % SLOTS] as number;
  }

  /** Watts, positive when charging, to POWER_UNIT. */
  power(slot: number): number {
    return (this.#power[slot % SLOTS] as number) * POWER_UNIT;
  }

  /** Millivolts. */
  lowestCell(slot: number): number {
    return this.#lowest[slot % SLOTS] as number;
  }

  highestCell(slot: number): number {
    return this.#highest[slot % SLOTS] as number;
  }

  private begin(slot: number): void {
    for (let gap = Math.max(this.#newest + 1, slot - SLOTS + 1); gap < slot; gap++) this.#soc[gap % SLOTS] = GAP;
    const place = slot % SLOTS;
    this.#lowest[place] = 0xffff;
    this.#highest[place] = 0;
    this.#milliwatts = this.#replies = 0;
    this.#newest = slot;
  }
}

/** Within 16 bits. */
const powerUnits = (milliwatts: number): number =>
  Math.max(-0x7fff, Math.min(0x7fff, Math.round(milliwatts / (POWER_UNIT * MILLIWATTS))));
