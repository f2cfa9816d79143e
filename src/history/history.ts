import { VOLTAGES } from "jk-bms/cells";
import { extremesOf } from "../catalogue/computed";
import type { Pack } from "../catalogue/pack";
import type { BankSum } from "../packs/bank-sum";
import { POWER_UNIT, SLOT_SECONDS, SLOTS } from "./limits";

/**
 * Byte offsets within a record, and its size. A single buffer, since each typed array would cost 7 slots besides its
 * bytes.
 */
const SOC = 0;
const POWER = 1;
const LOWEST = 3;
const HIGHEST = 5;
const PLACE = 7;

/** State of charge of a slot without a valid reply. */
const GAP = 255;
const MILLIWATTS = 1_000;

interface Clock {
  /** Whole seconds since boot. */
  uptime(): number;
}

/**
 * The pack, or the bank of several, over the last 12 hours: slot n covers n to n + 1 times SLOT_SECONDS after boot. A slot holds the last state
 * of charge, the mean power, and the lowest and highest cell voltage of its replies; it is empty if there were none.
 */
export class History {
  private readonly clock: Clock;
  /** Slot n is stored at index n modulo SLOTS; offsets as above. */
  private readonly places = new DataView(new ArrayBuffer(SLOTS * PLACE));
  /** The newest slot, and the sum and count behind its mean power. */
  private newest = -1;
  private milliwatts = 0;
  private replies = 0;

  constructor(clock: Clock) {
    this.clock = clock;
    for (let place = 0; place < SLOTS; place++) this.places.setUint8(place * PLACE + SOC, GAP);
  }

  /** Whole seconds since boot. */
  get now(): number {
    return this.clock.uptime();
  }

  /**
   * Call at each valid reply of a pack.
   * @param bank what all are together, after this reply
   */
  update(pack: Pack, bank: BankSum): void {
    const { telemetry } = pack;
    const cells = extremesOf(pack);
    if (!cells) return;
    const { view, littleEndian } = telemetry;
    const lowest = view.getUint16(VOLTAGES + 2 * (cells & 0xff) - 2, littleEndian);
    const highest = view.getUint16(VOLTAGES + 2 * (cells >> 8) - 2, littleEndian);
    const slot = Math.floor(this.clock.uptime() / SLOT_SECONDS);
    if (slot !== this.newest) this.begin(slot);
    const places = this.places;
    const place = offsetOf(slot);
    if (bank.isTurn) {
      this.milliwatts += bank.power;
      this.replies++;
      places.setUint8(place + SOC, Math.min(bank.charge, GAP - 1));
      places.setInt16(place + POWER, powerUnits(this.milliwatts / this.replies));
    }
    if (lowest < places.getUint16(place + LOWEST)) places.setUint16(place + LOWEST, lowest);
    if (highest > places.getUint16(place + HIGHEST)) places.setUint16(place + HIGHEST, highest);
  }

  /** Whether `slot` holds data. */
  has(slot: number): boolean {
    return slot >= 0 && slot > this.newest - SLOTS && slot <= this.newest && this.soc(slot) !== GAP;
  }

  /** Per cent. Valid only if the history `has` the slot, like the values below. */
  soc(slot: number): number {
    return this.places.getUint8(offsetOf(slot) + SOC);
  }

  /** Watts, positive when charging, in steps of POWER_UNIT. */
  power(slot: number): number {
    return this.places.getInt16(offsetOf(slot) + POWER) * POWER_UNIT;
  }

  /** Millivolts. */
  lowestCell(slot: number): number {
    return this.places.getUint16(offsetOf(slot) + LOWEST);
  }

  highestCell(slot: number): number {
    return this.places.getUint16(offsetOf(slot) + HIGHEST);
  }

  private begin(slot: number): void {
    // The slot too: of several packs the first to answer may not be the one that reports the charge.
    for (let gap = Math.max(this.newest + 1, slot - SLOTS + 1); gap <= slot; gap++)
      this.places.setUint8(offsetOf(gap) + SOC, GAP);
    this.places.setUint16(offsetOf(slot) + LOWEST, 0xffff);
    this.places.setUint16(offsetOf(slot) + HIGHEST, 0);
    this.milliwatts = this.replies = 0;
    this.newest = slot;
  }
}

const offsetOf = (slot: number): number => (slot % SLOTS) * PLACE;

/** Clamped to 16 bits. */
const powerUnits = (milliwatts: number): number =>
  Math.max(-0x7fff, Math.min(0x7fff, Math.round(milliwatts / (POWER_UNIT * MILLIWATTS))));
