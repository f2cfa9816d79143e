/**
 * A bank of LiFePO4 packs behind a solar inverter, ten minutes at a time: long sunny days and short grey ones, a household, winters that
 * need the grid. One cell drifts away over the years, and of several packs the last is weak.
 */
import { valueAt, type Random } from "../bms/random";

export interface BankOptions {
  readonly packs: number;
  readonly cells: number;
  /** Of a pack, Ah. */
  readonly capacity: number;
  readonly random: Random;
  readonly seed: number;
}

/** One pack, as it was at the end of the ten minutes. */
export interface PastPack {
  /** 0 to 1. */
  charge: number;
  /** mV. */
  readonly cells: number[];
  /** Positive when charging, A. */
  current: number;
  /** °C. */
  temperature: number;
  /** Discharged since it was new, Ah. */
  discharged: number;
}

/** Seconds of a step. */
export const STEP = 600;
const DAY = 86_400;
const YEAR = 365.25 * DAY;
/** 21 June 2026. */
const MIDSUMMER = 1_782_000_000;

/** Open-circuit voltage of a cell, V, by charge. */
const CURVE: readonly (readonly [charge: number, volts: number])[] = [
  [0, 2.75],
  [0.03, 3.0],
  [0.1, 3.2],
  [0.3, 3.27],
  [0.6, 3.31],
  [0.9, 3.335],
  [0.98, 3.37],
  [1, 3.45],
];
const NOMINAL_VOLTS = 3.2;
/** W for each Wh of the bank: the sun at noon in midsummer, the household at night. */
const SUN = 0.32;
const BASE_LOAD = 0.018;
/** The sun's share of that in midwinter, and of a grey day. */
const WINTER = 0.35;
const GREY = 0.15;
/** Hours from sunrise to noon: mean, and what a season adds. */
const HALF_DAY = 6;
const LONGER = 2;
/** Below this charge the inverter takes the grid … on most days: now and then it does so too late. */
const RESERVE = 0.1;
const LATE_RESERVE = 0.015;
const LATE_DAYS = 0.06;
/** Of a cell, Ω; of one of the weak pack. */
const RESISTANCE = 0.000_4;
const WEAK_RESISTANCE = 0.000_8;
/** Share of the capacity that the weak pack has left. */
const WEAK_CAPACITY = 0.93;
/** Share that a cycle takes. */
const FADE = 0.2 / 6_000;
/** mV that the drifting cell loses in ten years at half charge, more of it when empty or full. */
const DRIFT = 60;
const STEEP = 3;
/** Cycles of the packs when the past begins. */
const CYCLES = 120;

export class PastBank {
  readonly packs: readonly PastPack[];
  /** Mean power of the last ten minutes, W, positive when charging. */
  power = 0;
  private readonly options: BankOptions;
  private readonly scatter: readonly (readonly number[])[];
  private charge = 0.6;
  private day = -1;
  private sky = 1;
  private reserve = RESERVE;

  constructor(options: BankOptions) {
    this.options = options;
    const { packs, cells, capacity, seed } = options;
    this.packs = Array.from({ length: packs }, () => ({
      charge: this.charge,
      cells: Array.from({ length: cells }, () => 0),
      current: 0,
      temperature: 15,
      discharged: CYCLES * capacity,
    }));
    this.scatter = this.packs.map((_, pack) =>
      Array.from({ length: cells }, (_, cell) => 8 * valueAt(seed + pack, cell) - 4),
    );
  }

  /** The place of the drifting cell, the same in each pack. */
  get drifting(): number {
    return Math.min(2, this.options.cells - 1);
  }

  /**
   * Goes on by STEP.
   * @param time seconds since 1970 at its beginning; `local`: by the owner's clock; `age`: seconds since the past began
   */
  step(time: number, local: number, age: number): void {
    const { cells, capacity, random, packs } = this.options;
    const day = Math.floor(local / DAY);
    if (day !== this.day) {
      this.day = day;
      this.sky = random() < 0.25 ? GREY + 0.25 * random() : 0.75 + 0.25 * random();
      this.reserve = random() < LATE_DAYS ? LATE_RESERVE : RESERVE;
    }
    const wattHours = packs * cells * NOMINAL_VOLTS * capacity;
    const season = Math.cos((2 * Math.PI * (time - MIDSUMMER)) / YEAR);
    const hour = (local % DAY) / 3_600;
    const high = Math.cos((Math.PI / 2) * Math.max(-1, Math.min(1, (hour - 12.5) / (HALF_DAY + LONGER * season))));
    const strength = WINTER + ((1 - WINTER) * (1 + season)) / 2;
    const sun = SUN * wattHours * high * strength * this.sky * (0.85 + 0.15 * random());
    const meals = Math.exp(-((hour - 7.5) ** 2)) + 2 * Math.exp(-((hour - 19.5) ** 2) / 4);
    const load = BASE_LOAD * wattHours * (1 + 1.4 * meals) * (0.8 + 0.4 * random());
    let power = sun - load;
    const room = (1 - this.charge) * wattHours;
    const left = Math.max(0, this.charge - this.reserve) * wattHours;
    // Towards the end the charger holds the voltage, and the current falls.
    if (power > 0) power = Math.min(power, room * 3);
    else power = Math.max(power, (-left * 3_600) / STEP);
    this.power = power;
    this.charge = Math.max(0, Math.min(1, this.charge + (power * STEP) / 3_600 / wattHours));
    if (this.charge > 0.995) this.charge = 1;
    const ambient = 13 + 9 * season + 3 * Math.cos((2 * Math.PI * (hour - 15)) / 24);
    const current = power / packs / cells / NOMINAL_VOLTS;
    const spent = (Math.max(0, -current) * STEP) / 3_600;
    this.packs.forEach((pack, index) => this.settle(pack, index, { current, spent, ambient, age }));
  }

  /** What a pack can still hold, Ah. */
  capacityOf(index: number): number {
    const { capacity } = this.options;
    const cycles = (this.packs[index]?.discharged ?? 0) / capacity;
    return capacity * (1 - FADE * cycles) * (this.isWeak(index) ? WEAK_CAPACITY : 1);
  }

  private isWeak(index: number): boolean {
    return this.packs.length > 1 && index === this.packs.length - 1;
  }

  private settle(
    pack: PastPack,
    index: number,
    now: { current: number; spent: number; ambient: number; age: number },
  ): void {
    const { random } = this.options;
    const { current, spent, ambient, age } = now;
    const weak = this.isWeak(index);
    // What it lacks, it lacks at the lower end.
    pack.charge = weak ? Math.max(0, 1 - (1 - this.charge) / WEAK_CAPACITY) : this.charge;
    pack.current = current;
    pack.discharged += spent;
    pack.temperature += (ambient + Math.abs(current) * (weak ? 0.12 : 0.08) - pack.temperature) * 0.1;
    const middle = openVoltage(pack.charge) * 1_000 + current * (weak ? WEAK_RESISTANCE : RESISTANCE) * 1_000;
    const edge = 1 + STEEP * Math.abs(2 * pack.charge - 1) ** 4;
    const drift = ((DRIFT * age) / (10 * YEAR)) * edge * (weak ? 2 : 1);
    for (let cell = 0; cell < pack.cells.length; cell++)
      pack.cells[cell] = Math.round(
        middle +
          (this.scatter[index]?.[cell] ?? 0) * edge * 0.5 +
          (random() - 0.5) -
          (cell === this.drifting ? drift : 0),
      );
  }
}

function openVoltage(charge: number): number {
  for (let row = 1; row < CURVE.length; row++) {
    const [before, low] = CURVE[row - 1] as (typeof CURVE)[number];
    const [at, high] = CURVE[row] as (typeof CURVE)[number];
    if (charge <= at) return low + ((high - low) * (charge - before)) / (at - before);
  }
  return CURVE.at(-1)?.[1] ?? 0;
}
