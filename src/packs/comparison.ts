/** Packs in parallel, compared with each other: which of them carries nothing or too little, which has not the voltage of the others, and which is not like them. */
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { FULLY_CHARGED } from "../catalogue/alarms";
import { alarmCode } from "../catalogue/computed";
import * as sets from "../conditions/set";
import type { Conditions } from "../conditions/set";
import { BEHIND, CARRIES_NOTHING, OFF_VOLTAGE } from "../conditions/rows";
import type { Measured } from "../conditions/types";
import {
  BEHIND_BELOW,
  BEHIND_FOR,
  BEHIND_FROM,
  BEHIND_HOURS,
  BEHIND_TO,
  BEHIND_UNTIL,
  COMPARED_FOR,
  FULL_CHARGE,
  OFF_VOLTAGE_BY,
  SHARE_PARTS,
  SHARE_WORTH_A_LOOK,
} from "../catalogue/limits";
import { Likeness, type LikePack } from "./likeness";
import { Rounds } from "./rounds";
import type { BusPack } from "./types";

/**
 * What is kept of each pack: mA, mAh, mV, %, then since when each lasts, uptime in s plus one; 0: it does not; then the least current that would be a
 * share, mA, and how far its voltage is off, mV; since when it is behind, and the part of its share that it carried when that was judged last,
 * thousandths.
 */
const CURRENT = 0;
const CAPACITY = 1;
const VOLTAGE = 2;
const CHARGE = 3;
const NOTHING_SINCE = 4;
const OFF_SINCE = 5;
const LEAST = 6;
const OFF_BY = 7;
const BEHIND_SINCE = 8;
const PART = 9;
const EACH = 10;
/** In place of a voltage: unknown. */
const UNKNOWN = -1;
/** In place of a time: it has lasted for long enough, by a second round at least. */
const LASTING = -1;

interface ComparedPack extends LikePack {
  /** Polls in a row without a valid reply. */
  readonly failures: number;
}

interface ComparedBank {
  readonly packs: readonly ComparedPack[];
  /** Seconds since boot. */
  readonly uptime: number;
}

/**
 * Once a round, by the replies of that round and of the one before. What is not known of a pack, since it missed its last poll or contradicts
 * itself, changes nothing of it; of one that is offline, or alone, it is over, but that it was behind.
 */
export class Comparison {
  private readonly bank: ComparedBank;
  private readonly likeness: Likeness;
  private readonly rounds = new Rounds();
  private readonly numbers: Int32Array;

  constructor(bank: ComparedBank, packs: number) {
    this.bank = bank;
    this.likeness = new Likeness(bank);
    this.numbers = new Int32Array(EACH * packs);
  }

  concernsOf(index: number): Conditions {
    let found = this.likeness.concernsOf(index);
    if (this.isLasting(index, NOTHING_SINCE)) found = sets.plus(found, CARRIES_NOTHING);
    else if (this.isLasting(index, BEHIND_SINCE)) found = sets.plus(found, BEHIND);
    return this.isLasting(index, OFF_SINCE) ? sets.plus(found, OFF_VOLTAGE) : found;
  }

  /** What is judged of this row, one of its own. */
  measurementOf(index: number, row: Conditions): Measured {
    const at = index * EACH;
    const { numbers } = this;
    if (row === OFF_VOLTAGE) return [numbers[at + OFF_BY], OFF_VOLTAGE_BY];
    // Nothing at all would be carries-nothing.
    if (row === BEHIND) return [numbers[at + PART] || undefined, BEHIND_BELOW];
    return [Math.abs(numbers[at + CURRENT] as number), numbers[at + LEAST]];
  }

  /** Call at each valid reply of a pack. */
  update(pack: BusPack): void {
    const { packs } = this.bank;
    if (!this.rounds.beginsWith(pack)) return;
    let online = 0;
    for (let index = 0; index < packs.length; index++) {
      if (packs[index]?.online) online++;
      this.read(packs[index] as ComparedPack, index * EACH);
    }
    if (online < 2) {
      for (let index = 0; index < packs.length; index++) this.forget(index);
      return;
    }
    this.compareCurrents();
    this.compareVoltages();
  }

  /** Call when a pack goes offline. That it was behind is not disproved by that. */
  forget(index: number): void {
    const at = index * EACH;
    this.numbers.fill(0, at, at + BEHIND_SINCE);
    this.pause(at);
  }

  /** It was behind before a restart. */
  resume(index: number): void {
    this.numbers[index * EACH + BEHIND_SINCE] = LASTING;
  }

  /** Whether it is behind is not known: it has to last anew. */
  private pause(at: number): void {
    const { numbers } = this;
    if (numbers[at + BEHIND_SINCE] !== LASTING) numbers[at + BEHIND_SINCE] = 0;
  }

  private isLasting(index: number, what: number): boolean {
    return this.numbers[index * EACH + what] === LASTING;
  }

  private read(pack: ComparedPack, at: number): void {
    const { numbers } = this;
    numbers[at + VOLTAGE] = UNKNOWN;
    const { telemetry } = pack;
    if (!pack.online || pack.failures || !telemetry.valid || telemetry.contradicts) return;
    numbers[at + VOLTAGE] = readRaw(telemetry, FIELDS.packVoltage);
    numbers[at + CURRENT] = readRaw(telemetry, FIELDS.packCurrent);
    numbers[at + CAPACITY] = readRaw(telemetry, FIELDS.fullCapacity);
    numbers[at + CHARGE] = readRaw(telemetry, FIELDS.soc);
  }

  private compareCurrents(): void {
    const { numbers } = this;
    let current = 0;
    let capacity = 0;
    let charge = 0;
    let isMiddling = true;
    for (let at = 0; at < numbers.length; at += EACH) {
      if (numbers[at + VOLTAGE] === UNKNOWN) continue;
      const soc = numbers[at + CHARGE] as number;
      current += numbers[at + CURRENT] as number;
      capacity += numbers[at + CAPACITY] as number;
      charge += soc * (numbers[at + CAPACITY] as number);
      if (soc < BEHIND_FROM || soc > BEHIND_TO) isMiddling = false;
    }
    for (let at = 0; at < numbers.length; at += EACH) {
      if (numbers[at + VOLTAGE] === UNKNOWN) continue;
      const share = (current * (numbers[at + CAPACITY] as number)) / capacity;
      const least = Math.ceil(Math.abs(share) / SHARE_PARTS);
      numbers[at + LEAST] = least;
      const isFlowing = Math.abs(share) >= SHARE_WORTH_A_LOOK && this.mayCarry(at / EACH, current > 0);
      this.note(at + NOTHING_SINCE, isFlowing && Math.abs(numbers[at + CURRENT] as number) < least);
      // One that is charged more, or less, than the others carries less for that alone.
      const isDue = ((numbers[at + CHARGE] as number) * capacity - charge) * current <= 0;
      if (isFlowing && isMiddling && isDue && Math.abs(share) * BEHIND_HOURS >= (numbers[at + CAPACITY] as number))
        this.judgePart(at, share);
      else this.pause(at);
    }
  }

  private judgePart(at: number, share: number): void {
    const { numbers } = this;
    const part = Math.round((1_000 * (numbers[at + CURRENT] as number)) / share);
    numbers[at + PART] = part;
    const isStanding = numbers[at + BEHIND_SINCE] === LASTING;
    this.note(at + BEHIND_SINCE, part < (isStanding ? BEHIND_UNTIL : BEHIND_BELOW), BEHIND_FOR);
  }

  /** Nothing in the pack itself says why it carries nothing: both MOSFETs are on, and a full one need not be charged. */
  private mayCarry(index: number, isCharged: boolean): boolean {
    const pack = this.bank.packs[index] as BusPack;
    const { telemetry } = pack;
    if (!readRaw(telemetry, FIELDS.chargeMos) || !readRaw(telemetry, FIELDS.dischargeMos)) return false;
    return !isCharged || (readRaw(telemetry, FIELDS.soc) < FULL_CHARGE && !((alarmCode(pack) ?? 0) & FULLY_CHARGED));
  }

  private compareVoltages(): void {
    const { numbers } = this;
    const known: number[] = [];
    for (let at = VOLTAGE; at < numbers.length; at += EACH)
      if (numbers[at] !== UNKNOWN) known.push(numbers[at] as number);
    known.sort((one, other) => one - other);
    for (let at = 0; at < numbers.length; at += EACH) {
      const voltage = numbers[at + VOLTAGE] as number;
      if (voltage === UNKNOWN || known.length < 2) continue;
      // Among three or more a single odd one does not move the middle; of two each is compared with the other.
      const others = known.length > 2 ? medianOf(known) : (known[0] as number) + (known[1] as number) - voltage;
      const off = Math.abs(voltage - others);
      numbers[at + OFF_BY] = off;
      this.note(at + OFF_SINCE, off > OFF_VOLTAGE_BY);
    }
  }

  private note(at: number, isOdd: boolean, hold = COMPARED_FOR): void {
    const { numbers } = this;
    const now = this.bank.uptime + 1;
    const since = numbers[at] as number;
    if (!isOdd) numbers[at] = 0;
    else if (!since) numbers[at] = now;
    else if (now - since >= hold) numbers[at] = LASTING;
  }
}

/** @param sorted at least one */
export function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const high = sorted[middle] as number;
  return sorted.length % 2 ? high : (high + (sorted[middle - 1] as number)) / 2;
}
