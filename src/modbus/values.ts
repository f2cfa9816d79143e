/** A battery, one pack or all of them, as numbers that the registers are made of. NaN: unknown. Current and power are positive while charging. */
import { cellsPresent } from "jk-bms/cells";
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { faultsIn } from "../catalogue/alarms";
import { alarmCode, percent } from "../catalogue/computed";
import type { Blocks } from "../catalogue/pack";
import * as sets from "../conditions/set";
import * as BANK from "../packs/bank";
import { readBank, type Numbers } from "../packs/bank";
import type { BusPack } from "../packs/types";
import { conditionEvents, eventsOf, SILENT } from "./events";
import type { ModbusDevice } from "./types";

/** What registers divide a value by, beside its place: SCALES of registers.ts. */
export const SCALE = 6;
const TENTH = 1 << SCALE;
const AMPERES = 2 << SCALE;
const WATTS = 3 << SCALE;
const AMPERE_HOURS = 4 << SCALE;
const WATT_HOURS = 5 << SCALE;
const RATE = 6 << SCALE;
const TENFOLD = 7 << SCALE;

/*
 * Each value in order: its place, its unit, and where registers have it in another one, that with its scale. First those of readBank.
 */

export const PACKS = BANK.PACKS;
export const ONLINE = BANK.ONLINE;
/** 0.1 %. */
export const CHARGE = BANK.CHARGE;
/** mAh. */
export const CAPACITY = BANK.AMPERE_HOURS;
export const CAPACITY_SCALED = CAPACITY | AMPERE_HOURS;
export const REMAINING = BANK.REMAINING;
/** mV, mA, 0.01 W. */
export const VOLTAGE = BANK.VOLTAGE;
export const VOLTAGE_SCALED = VOLTAGE | TENTH;
export const CURRENT = BANK.CURRENT;
export const CURRENT_SCALED = CURRENT | AMPERES;
export const POWER = BANK.POWER;
export const POWER_SCALED = POWER | WATTS;
/** mV; then the place of the pack, from 1, and the cell. */
export const LOWEST_CELL = BANK.LOWEST;
export const LOWEST_PLACE = LOWEST_CELL + 1;
export const LOWEST_NUMBER = LOWEST_CELL + 2;
export const HIGHEST_CELL = BANK.HIGHEST;
export const HIGHEST_PLACE = HIGHEST_CELL + 1;
export const HIGHEST_NUMBER = HIGHEST_CELL + 2;
/** Within one pack, the greatest. */
export const CELL_DELTA = BANK.WIDEST;
/** 0.1 degrees Celsius. */
export const HOTTEST = BANK.HOTTEST;
export const COLDEST = BANK.COLDEST;

/* Then what only the registers have, each behind the one before. */

/** %: the least of the packs. 713 has tenths. */
export const HEALTH = BANK.VALUES;
export const HEALTH_SCALED = HEALTH | TENFOLD;
/** The most of the packs. */
export const CYCLES = HEALTH + 1;
/** Wh since the first start of the device; unknown of one of several packs. */
export const CHARGED = CYCLES + 1;
export const DISCHARGED = CHARGED + 1;
/** 1: of at least one pack this MOSFET conducts. */
export const CHARGES = DISCHARGED + 1;
export const DISCHARGES = CHARGES + 1;
/** 0.1 %. */
export const DEPTH = DISCHARGES + 1;
/** ChaSt, State of 802 and Sta of 713. */
export const CHARGE_STATE = DEPTH + 1;
export const STATE = CHARGE_STATE + 1;
export const SEVERITY = STATE + 1;
/** Seconds since the start. */
export const HEARTBEAT = SEVERITY + 1;
export const EVENTS = HEARTBEAT + 1;
/** The middle between the coldest and the hottest. */
export const MIDDLE = EVENTS + 1;
/** Bits: enabled and connected. */
export const STATUS = MIDDLE + 1;
export const CELLS = STATUS + 1;
/** Of the (first) pack, from 1. */
export const PLACE = CELLS + 1;
export const UNIT = PLACE + 1;
/** SetOp: connected or not. */
export const OPERATION = UNIT + 1;
/** Packs that are known, and those that conduct. */
export const KNOWN = OPERATION + 1;
export const CONNECTED = KNOWN + 1;
/** What needs attention, of CONCERNS; of several packs all their bits. */
export const CONDITIONS = CONNECTED + 1;

/* Sums over the packs that are online: unknown if that of one is, and all of them if there is none. */

/** Wh, by the nominal voltage of the cells. */
export const ENERGY = CONDITIONS + 1;
export const ENERGY_SCALED = ENERGY | WATT_HOURS;
export const AVAILABLE = ENERGY + 1;
export const AVAILABLE_SCALED = AVAILABLE | WATT_HOURS;
/** W, by the same, and 0.1 A that the setup allows. */
export const CHARGE_RATE = AVAILABLE + 1;
export const CHARGE_RATE_SCALED = CHARGE_RATE | RATE;
export const DISCHARGE_RATE = CHARGE_RATE + 1;
export const DISCHARGE_RATE_SCALED = DISCHARGE_RATE | RATE;
export const CHARGE_LIMIT = DISCHARGE_RATE + 1;
export const DISCHARGE_LIMIT = CHARGE_LIMIT + 1;
/** mV: the mean of the packs. */
export const AVERAGE_CELL = DISCHARGE_LIMIT + 1;
/** The alarm word, of several packs all their bits. */
export const ALARMS = AVERAGE_CELL + 1;
/** Bits: the charge and the discharge MOSFET. */
export const CONTACTORS = ALARMS + 1;

/* Scale factors of several packs: they are the last points of a model. */
export const POWER_SCALE = CONTACTORS + 1;
export const ENERGY_SCALE = POWER_SCALE + 1;
export const CAPACITY_SCALE = ENERGY_SCALE + 1;
export const VALUES = CAPACITY_SCALE + 1;

/** The own block, in its order: never change it. A text: flash. */
export const OWN = String.fromCharCode(
  CHARGE,
  VOLTAGE,
  CURRENT,
  POWER,
  REMAINING,
  CAPACITY,
  HEALTH,
  CYCLES,
  LOWEST_CELL,
  HIGHEST_CELL,
  CELL_DELTA,
  COLDEST,
  HOTTEST,
  ALARMS,
  CHARGES,
  DISCHARGES,
  PACKS,
  ONLINE,
  CHARGED,
  DISCHARGED,
);

/** mV of a cell, by the BMS's code of the chemistry: LiFePO4, Li-ion, LTO. */
const NOMINAL: readonly number[] = Object.freeze([3_200, 3_700, 2_400], true);
/** mA: less is noise of the shunt. */
const RESTS = 200;
const JOULES = 3_600;
const FULL = 1_000;

/* ChaSt. */
const EMPTY = 2;
const DISCHARGING = 3;
const CHARGING = 4;
const IS_FULL = 5;
const HOLDING = 6;

/* State. */
const IS_DISCONNECTED = 1;
const IS_CONNECTED = 3;
const HAS_FAULT = 99;

/** The place, from 1, of the pack with this address. */
function placeOf(packs: readonly BusPack[], address: number): number {
  let index = 0;
  while (index < packs.length && packs[index]?.identity.address !== address) index++;
  return index < packs.length ? (packs[index] as BusPack).index + 1 : NaN;
}

/** Adds a pack that is known: it is online. */
function add(into: Numbers, pack: Blocks, capacity: number, remaining: number): void {
  // A pattern takes XS twice what two accesses take.
  const telemetry = pack.telemetry;
  const setup = pack.setup;
  const contactors = (readRaw(telemetry, FIELDS.chargeMos) ? 1 : 0) | (readRaw(telemetry, FIELDS.dischargeMos) ? 2 : 0);
  const health = percent(telemetry, FIELDS.stateOfHealth);
  const cycles = readRaw(telemetry, FIELDS.cycles);
  const cells = cellsPresent(telemetry);
  // NaN of a chemistry that is not known.
  const volts = ((NOMINAL[readRaw(telemetry, FIELDS.batteryType)] as number) * cells) / 1e6;
  const charge = setup.valid ? readRaw(setup, FIELDS.maxChargeCurrent) : NaN;
  const discharge = setup.valid ? readRaw(setup, FIELDS.maxDischargeCurrent) : NaN;
  if (!((into[HEALTH] as number) <= (health as number)) && health !== undefined) into[HEALTH] = health;
  if (!((into[CYCLES] as number) >= cycles)) into[CYCLES] = cycles;
  into[CELLS] = cells;
  (into[KNOWN] as number)++;
  if (contactors) (into[CONNECTED] as number)++;
  (into[CONTACTORS] as number) |= contactors;
  (into[ALARMS] as number) |= alarmCode(pack) as number;
  (into[AVERAGE_CELL] as number) += readRaw(telemetry, FIELDS.averageCellVoltage);
  (into[ENERGY] as number) += capacity * volts;
  (into[AVAILABLE] as number) += remaining * volts;
  (into[CHARGE_RATE] as number) += charge * volts;
  (into[DISCHARGE_RATE] as number) += discharge * volts;
  (into[CHARGE_LIMIT] as number) += charge / 100;
  (into[DISCHARGE_LIMIT] as number) += discharge / 100;
}

/** Reads `packs`, which are one or all, into `into`. */
export function readBattery(
  into: Float64Array,
  packs: readonly BusPack[],
  device: ModbusDevice,
  hasTemperatures = true,
): void {
  const { length } = packs;
  into.fill(NaN);
  into.fill(0, KNOWN, POWER_SCALE);
  readBank(packs, into, hasTemperatures, add);
  const alarms = into[ALARMS] as number;
  const connected = into[CONNECTED] as number;
  const known = into[KNOWN] as number;
  let conditions = sets.NONE;
  for (let index = 0; index < length; index++)
    conditions = sets.plus(conditions, device.conditions.presentOf((packs[index] as BusPack).index));
  into[CONDITIONS] = (conditions as unknown as number) & 0x7fff_ffff;
  into[EVENTS] = (known < length ? SILENT : 0) | eventsOf(alarms) | conditionEvents(conditions);
  into[STATUS] = (known ? 1 : 0) | (connected ? 2 : 0);
  into[PLACE] = (packs[0] as BusPack).index + 1;
  into[HEARTBEAT] = device.uptime() % 0xffff;
  into[POWER_SCALE] = 1;
  into[ENERGY_SCALE] = 2;
  into[CAPACITY_SCALE] = 0;
  const stored = device.energy?.stored;
  if (stored && length === device.monitor.packs.length) {
    into[CHARGED] = Math.floor(stored.charged / JOULES);
    into[DISCHARGED] = Math.floor(stored.discharged / JOULES);
  }
  if (!known) {
    into.fill(NaN, ENERGY, POWER_SCALE);
    return;
  }
  const current = into[CURRENT] as number;
  const soc = into[CHARGE] as number;
  const contactors = into[CONTACTORS] as number;
  const faults = faultsIn(alarms);
  into[LOWEST_PLACE] = placeOf(packs, into[LOWEST_PLACE] as number);
  into[HIGHEST_PLACE] = placeOf(packs, into[HIGHEST_PLACE] as number);
  into[ALARMS] = alarms & 0x7fff_ffff;
  into[CHARGES] = contactors & 1;
  into[DISCHARGES] = contactors >> 1;
  (into[AVERAGE_CELL] as number) /= known;
  into[MIDDLE] = ((into[COLDEST] as number) + (into[HOTTEST] as number)) / 2;
  into[DEPTH] = FULL - soc;
  into[STATE] = contactors ? IS_CONNECTED : faults ? HAS_FAULT : IS_DISCONNECTED;
  into[OPERATION] = contactors ? 1 : 2;
  into[SEVERITY] = faults ? (contactors ? 1 : 2) : 0;
  if (current <= -RESTS) into[CHARGE_STATE] = DISCHARGING;
  else if (current >= RESTS) into[CHARGE_STATE] = CHARGING;
  else into[CHARGE_STATE] = soc >= FULL ? IS_FULL : soc > 0 ? HOLDING : EMPTY;
}
