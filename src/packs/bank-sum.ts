import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { BANK_SETTLING } from "./limits";
import { Rounds } from "./rounds";
import type { BusPack } from "./types";

/** Of each pack: its power, mW, its capacity, 0.1 Ah, and its state of charge, %. One buffer, to save RAM. */
const POWER = 0;
const CAPACITY = 4;
const CHARGE = 6;
const PLACE = 8;

/** Power of a pack that does not answer. */
const UNKNOWN = -0x8000_0000;
const CAPACITY_MILLIAMPERE_HOURS = 100;

interface BankDevice {
  readonly monitor: { readonly packs: readonly unknown[] };
  /** Whole seconds since the firmware started. */
  uptime(): number;
}

/** What the packs that answer are together, by the last reply of each. Of one pack alone it is what that pack is. */
export class BankSum {
  private readonly device: BankDevice;
  private view = new DataView(new ArrayBuffer(0));
  private readonly rounds = new Rounds();
  /** Whether the sums are to be taken now, at the reply that `update` was called for: once a round. Just after the start not all packs have been asked. */
  isTurn = false;
  /** How many answer. */
  private online = 0;

  constructor(device: BankDevice) {
    this.device = device;
  }

  /** All packs answer. */
  get isComplete(): boolean {
    return this.online >= this.device.monitor.packs.length;
  }

  /** Call at each valid reply of a pack. */
  update(pack: Pick<BusPack, "index" | "telemetry">, power: number): void {
    const { index, telemetry } = pack;
    const at = index * PLACE;
    if (at >= this.view.byteLength) this.grow(at + PLACE);
    const { view } = this;
    if (view.getInt32(at + POWER) === UNKNOWN) this.online++;
    view.setInt32(at + POWER, power);
    view.setUint16(at + CAPACITY, readRaw(telemetry, FIELDS.fullCapacity) / CAPACITY_MILLIAMPERE_HOURS);
    view.setUint8(at + CHARGE, readRaw(telemetry, FIELDS.soc));
    this.isTurn = this.rounds.beginsWith(pack) && (this.isComplete || this.device.uptime() >= BANK_SETTLING);
  }

  /** Call when a pack goes offline. */
  interrupt(index: number): void {
    const { view } = this;
    const at = index * PLACE;
    if (at >= view.byteLength || view.getInt32(at + POWER) === UNKNOWN) return;
    view.setInt32(at + POWER, UNKNOWN);
    this.online--;
  }

  /** mW, positive when charging. */
  get power(): number {
    const { view } = this;
    let sum = 0;
    for (let at = 0; at < view.byteLength; at += PLACE) {
      const power = view.getInt32(at + POWER);
      if (power !== UNKNOWN) sum += power;
    }
    return sum;
  }

  /** State of charge, %, weighted by the capacity that each BMS has learned. */
  get charge(): number {
    const { view } = this;
    let sum = 0;
    let whole = 0;
    for (let at = 0; at < view.byteLength; at += PLACE) {
      if (view.getInt32(at + POWER) === UNKNOWN) continue;
      // One that reports no capacity counts a little.
      const capacity = view.getUint16(at + CAPACITY) || 1;
      sum += view.getUint8(at + CHARGE) * capacity;
      whole += capacity;
    }
    return Math.round(sum / whole);
  }

  private grow(bytes: number): void {
    const old = this.view;
    const view = new DataView(new ArrayBuffer(bytes));
    for (let at = 0; at < bytes; at += PLACE) {
      const isKnown = at < old.byteLength;
      view.setInt32(at + POWER, isKnown ? old.getInt32(at + POWER) : UNKNOWN);
      view.setInt32(at + CAPACITY, isKnown ? old.getInt32(at + CAPACITY) : 0);
    }
    this.view = view;
  }
}
