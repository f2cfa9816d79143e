/**
 * Days of banks that are in order, of packs that differ as packs do: resistance, capacity, charge, and what their sensors and counters make of it. Near full and
 * near empty, and after each turn of the current, their shares truly differ. What is compared is src/packs/comparison.ts, by all it knows.
 */
import * as FIELDS from "jk-bms/field-table";
import { openCircuitVoltage } from "../../host-sim/bms/pack";
import { hasAny } from "../../src/conditions/set";
import { BEHIND } from "../../src/conditions/rows";
import { Comparison } from "../../src/packs/comparison";
import { inrushOf } from "../../src/packs/inrush";
import { Random } from "../fuzz/random";
import { TestMonitor } from "../support/bms/bms-link";

const CELLS = 16;
const DAY = 86_400;
/** s. */
const STEP = 5;
/** Of a cell and its bus bar, then of the BMS, ohm: at 280 Ah. */
const CELL = 0.000_25;
const SWITCHES = 0.001;
/** V of a cell between its charged and its discharged side, and the part of the capacity after which it has changed sides. */
const HYSTERESIS = 0.008;
const TURN = 0.02;
/** Of its capacity. */
const NEARLY_FULL = 0.97;
const MOST_HOURLY = 0.7;
const CHARGER = 3.45 * CELLS;
const CUT_OFF = 3 * CELLS;
const BACK = 3.2 * CELLS;

class Pack extends TestMonitor {
  failures = 0;
  override age = 0;
  /** Ohm; of its polarization. */
  ohms: number;
  slow: number;
  /** V, and the side that its hysteresis is on. */
  polarization = 0;
  side = 0;
  amperes = 0;

  constructor(
    index: number,
    readonly ampereHours: number,
    public charge: number,
    private readonly error: number,
    private readonly gain: number,
    private readonly offset: number,
    private readonly time: number,
    lead: number,
  ) {
    super();
    this.index = index;
    const scale = 280 / ampereHours;
    this.slow = 0.6 * CELLS * CELL * scale;
    this.ohms = (CELLS * CELL + SWITCHES) * scale + lead;
    this.telemetry.set(FIELDS.chargeMos, 1).set(FIELDS.dischargeMos, 1);
  }

  get source(): number {
    return CELLS * (openCircuitVoltage(this.charge) + this.side * HYSTERESIS) + this.polarization;
  }

  carry(amperes: number, noise: number): void {
    this.amperes = amperes;
    const part = (amperes * STEP) / 3_600 / this.ampereHours;
    this.charge = Math.min(1.05, Math.max(0, this.charge + part));
    this.polarization += (amperes * this.slow - this.polarization) * (STEP / this.time);
    this.side = Math.max(-1, Math.min(1, this.side + part / TURN));
    const shown = this.charge > 0.995 ? 1 : Math.min(1, Math.max(0, this.charge + this.error));
    const current = Math.round(1_000 * (amperes * this.gain + this.offset + noise));
    this.telemetry.set(FIELDS.packCurrent, current).set(FIELDS.soc, Math.round(100 * shown));
    this.telemetry.set(FIELDS.packVoltage, Math.round(1_000 * (this.source + amperes * this.ohms)));
  }
}

/** A pack rests that often, s. */
const REST = 1_200;

/** What one has more, or has when the others are full, is a voltage of its own. */
const isLike = ({ charge }: Pack, other: Pack): boolean =>
  charge < NEARLY_FULL && Math.abs(charge - other.charge) < 0.1;

/** @returns whether a pack that is off for a moment, while the others carry it all, is switched on again on an explicit yes only */
function isAskedAfter(off: Pack, packs: readonly Pack[], wanted: number): boolean {
  const others = packs.filter((pack) => pack !== off);
  const conductance = others.reduce((sum, pack) => sum + 1 / pack.ohms, 0);
  const driven = others.reduce((sum, pack) => sum + pack.source / pack.ohms, 0);
  // No pack carries more than its BMS lets through.
  const most = MOST_HOURLY * others.reduce((sum, { ampereHours }) => sum + ampereHours, 0);
  const volts = Math.min(CHARGER, (driven + Math.max(-most, Math.min(most, wanted))) / conductance);
  for (const pack of packs) {
    const amperes = pack === off ? 0 : (volts - pack.source) / pack.ohms;
    const state = Number(pack !== off);
    pack.telemetry.set(FIELDS.chargeMos, state).set(FIELDS.dischargeMos, state).setCells(Array<number>(CELLS).fill(0));
    pack.telemetry.set(FIELDS.packCurrent, Math.round(1_000 * amperes));
    pack.telemetry.set(FIELDS.packVoltage, Math.round(1_000 * (pack.source + amperes * pack.ohms)));
  }
  const isAsked = ["charge_mos", "discharge_mos"].some((name) => inrushOf(off, packs, name) !== 0);
  off.telemetry.set(FIELDS.chargeMos, 1).set(FIELDS.dischargeMos, 1);
  return isAsked;
}

export interface Days {
  /** How often a pack was said to be behind, and for how many seconds a share was below a quarter. */
  readonly told: number;
  readonly below: number;
  /** Whether the one with a bad lead was said to be behind. */
  readonly found: boolean;
  /** How often a pack was off for a moment, and how often switching it on again wanted a yes. */
  readonly rests: number;
  readonly asked: number;
}

/** @param bad ohm: the lead of one pack; @param uneven how far the charges are from their middle at most */
export function passDays(seed: number, days: number, bad = 0, uneven = 0.08): Days {
  const random = new Random(seed);
  const between = (low: number, high: number): number => low + ((high - low) * random.below(10_001)) / 10_000;
  const count = random.of([2, 3, 4, 8]);
  const nominal = random.of([100, 200, 280, 314]);
  const middle = between(0.25, 0.95);
  const odd = bad ? random.below(count) : -1;
  const packs = Array.from({ length: count }, (_, index) => {
    const pack = new Pack(
      index,
      nominal * between(0.9, 1),
      Math.min(1, Math.max(0.1, middle + between(-uneven, uneven))),
      between(-0.06, 0.06),
      between(0.985, 1.015),
      between(-0.3, 0.3),
      between(100, 900),
      between(0.001, 0.006) + (index === odd ? bad : 0),
    );
    pack.ohms *= between(0.85, 1.3);
    pack.telemetry.set(FIELDS.fullCapacity, Math.round(1_000 * nominal * between(0.97, 1)));
    return pack;
  });
  const bank = { packs, uptime: 0 };
  const compared = new Comparison(bank, count);
  const all = nominal * count;
  const peak = between(0.1, 0.5) * all;
  const base = between(0.01, 0.06) * all;
  let clouds = 1;
  let changes = 0;
  let spike = 0;
  let ends = 0;
  let isCut = false;
  const stood = packs.map(() => false);
  let told = 0;
  let below = 0;
  let found = false;
  let rests = 0;
  let asked = 0;
  for (; bank.uptime < days * DAY; bank.uptime += STEP) {
    const hour = (bank.uptime % DAY) / 3_600;
    if (bank.uptime >= changes) {
      clouds = random.once(3) ? between(0.1, 0.6) : between(0.7, 1);
      changes = bank.uptime + between(30, 1_500);
    }
    if (bank.uptime >= ends) {
      spike = random.once(3) ? between(0.05, 0.35) * all : 0;
      ends = bank.uptime + between(60, spike ? 2_400 : 4_800);
    }
    const sun = peak * clouds * Math.max(0, Math.sin((Math.PI * (hour - 6)) / 12));
    const wanted = sun - (isCut ? 0 : base + spike);
    const conductance = packs.reduce((sum, pack) => sum + 1 / pack.ohms, 0);
    const driven = packs.reduce((sum, pack) => sum + pack.source / pack.ohms, 0);
    const volts = Math.min(CHARGER, (driven + wanted) / conductance);
    isCut = volts < CUT_OFF || (isCut && volts < BACK);
    for (const pack of packs) pack.carry((volts - pack.source) / pack.ohms, between(-0.15, 0.15));
    const sum = packs.reduce((total, { amperes }) => total + amperes, 0);
    for (const pack of packs) {
      if (Math.abs(sum) > 0.05 * all && pack.amperes / sum < 0.25 / count) below += STEP;
      compared.update(pack);
    }
    for (const { index } of packs) {
      const stands = hasAny(compared.concernsOf(index), BEHIND);
      if (stands && index === odd) found = true;
      else if (stands && !stood[index]) told++;
      stood[index] = stands;
    }
    const off = random.of(packs);
    if (bank.uptime % REST || isCut || !packs.every((pack) => isLike(pack, off))) continue;
    rests++;
    if (isAskedAfter(off, packs, wanted)) asked++;
  }
  return { told, below, found, rests, asked };
}
