/** A battery, one pack or all of them, as numbers that the registers are made of. NaN: unknown. Current and power are positive while charging. */
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { alarmBits, faultsIn } from "../catalogue/alarms";
import { capacity, cellCount, highestOf, lowestOf, temperatureSpan } from "../catalogue/computed";
import {
  AMPERE_HOURS,
  bankOf,
  CHARGE as BANK_CHARGE,
  HIGHEST,
  LOWEST,
  ONLINE as ONLINE_PACKS,
  WIDEST,
} from "../packs/bank";
import type { BusPack } from "../packs/types";
import { eventsOf, SILENT } from "./events";
import type { ModbusDevice } from "./types";

/* The own block has the first OWN_VALUES, in this order: never change it. */

/** 0.1 %. */
export const CHARGE = 0;
/** mV, mA, 0.01 W. */
export const VOLTAGE = 1;
export const CURRENT = 2;
export const POWER = 3;
/** mAh. */
export const REMAINING = 4;
export const CAPACITY = 5;
/** %: the least of the packs. */
export const HEALTH = 6;
/** The most of the packs. */
export const CYCLES = 7;
/** mV. */
export const LOWEST_CELL = 8;
export const HIGHEST_CELL = 9;
/** Within one pack, the greatest. */
export const CELL_DELTA = 10;
/** 0.1 degrees Celsius. */
export const COLDEST = 11;
export const HOTTEST = 12;
/** The alarm word, of several packs all their bits. */
export const ALARMS = 13;
/** 1: of at least one pack this MOSFET conducts. */
export const CHARGES = 14;
export const DISCHARGES = 15;
export const PACKS = 16;
export const ONLINE = 17;
/** Wh since the first start of the device; unknown of one of several packs. */
export const CHARGED = 18;
export const DISCHARGED = 19;

/** Wh, by the nominal voltage of the cells. */
export const ENERGY = 20;
export const AVAILABLE = 21;
/** W, by the same, and 0.1 A that the setup allows. */
export const CHARGE_RATE = 22;
export const DISCHARGE_RATE = 23;
export const CHARGE_LIMIT = 24;
export const DISCHARGE_LIMIT = 25;
/** 0.1 %. */
export const DEPTH = 26;
/** ChaSt, State of 802 and Sta of 713. */
export const CHARGE_STATE = 27;
export const STATE = 28;
export const SEVERITY = 29;
/** Seconds since the start. */
export const HEARTBEAT = 30;
export const EVENTS = 31;
/** Place of the pack, from 1, and the cell. */
export const LOWEST_PLACE = 32;
export const LOWEST_NUMBER = 33;
export const HIGHEST_PLACE = 34;
export const HIGHEST_NUMBER = 35;
/** mV: the mean of the packs. */
export const AVERAGE_CELL = 36;
/** The middle between the coldest and the hottest. */
export const MIDDLE = 37;
/** Bits: the charge and the discharge MOSFET; enabled and connected. */
export const CONTACTORS = 38;
export const STATUS = 39;
export const CELLS = 40;
/** Of the (first) pack, from 1. */
export const PLACE = 41;
/** Packs that conduct. */
export const CONNECTED = 42;
export const UNIT = 43;
/** Scale factors that follow the number of packs. */
export const POWER_SCALE = 44;
export const ENERGY_SCALE = 45;
export const CAPACITY_SCALE = 46;
/** SetOp: connected or not. */
export const OPERATION = 47;
export const VALUES = 48;

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

const less = (before: number, value: number): number => (before <= value ? before : value);
const more = (before: number, value: number): number => (before >= value ? before : value);

/** Reads `packs`, which are one or all, into `into`. */
export function readBattery(into: Float64Array, packs: readonly BusPack[], device: ModbusDevice): void {
  const all = bankOf(packs);
  const at = (index: number): number => all[index] as number;
  const placeOf = (index: number): number => {
    for (const { identity, index: place } of packs) if (identity.address === at(index)) return place + 1;
    return NaN;
  };
  const get = (index: number): number => into[index] as number;
  const add = (index: number, value: number): void => void (into[index] = get(index) + value);
  const { length } = packs;
  const isSeveral = length > 1;
  const online = at(ONLINE_PACKS);
  const { energy, monitor } = device;
  into.fill(NaN);
  into[CHARGE] = at(BANK_CHARGE);
  into[CAPACITY] = at(AMPERE_HOURS);
  into[REMAINING] = at(AMPERE_HOURS + 1);
  into[VOLTAGE] = at(AMPERE_HOURS + 2);
  into[CURRENT] = at(AMPERE_HOURS + 3);
  into[POWER] = at(AMPERE_HOURS + 4);
  into[LOWEST_CELL] = at(LOWEST);
  into[LOWEST_PLACE] = placeOf(LOWEST + 1);
  into[LOWEST_NUMBER] = at(LOWEST + 2);
  into[HIGHEST_CELL] = at(HIGHEST);
  into[HIGHEST_PLACE] = placeOf(HIGHEST + 1);
  into[HIGHEST_NUMBER] = at(HIGHEST + 2);
  into[CELL_DELTA] = at(WIDEST);
  into[PACKS] = length;
  into[ONLINE] = online;
  into[PLACE] = (packs[0] as BusPack).index + 1;
  into[HEARTBEAT] = device.uptime() % 0xffff;
  into[POWER_SCALE] = isSeveral ? 1 : 0;
  into[ENERGY_SCALE] = isSeveral ? 2 : 1;
  into[CAPACITY_SCALE] = isSeveral ? 0 : -1;
  if (energy?.stored && length === monitor.packs.length) {
    into[CHARGED] = Math.floor(energy.stored.charged / JOULES);
    into[DISCHARGED] = Math.floor(energy.stored.discharged / JOULES);
  }
  // Sums, of the packs that are online: unknown if that of one is.
  if (online) into.fill(0, ENERGY, DISCHARGE_LIMIT + 1);

  let events = 0;
  let alarms = 0;
  let contactors = 0;
  let connected = 0;
  let average = 0;
  for (const pack of packs) {
    const bits = alarmBits(pack);
    if (bits === undefined) {
      events = SILENT;
      continue;
    }
    const { telemetry, setup } = pack;
    const own = (readRaw(telemetry, FIELDS.chargeMos) ? 1 : 0) | (readRaw(telemetry, FIELDS.dischargeMos) ? 2 : 0);
    alarms |= bits;
    contactors |= own;
    if (own) connected++;
    into[HEALTH] = less(get(HEALTH), readRaw(telemetry, FIELDS.stateOfHealth));
    into[CYCLES] = more(get(CYCLES), readRaw(telemetry, FIELDS.cycles));
    average += readRaw(telemetry, FIELDS.averageCellVoltage);
    const cells = cellCount(pack) as number;
    into[CELLS] = cells;
    const volts = ((NOMINAL[readRaw(telemetry, FIELDS.batteryType)] ?? NaN) * cells) / 1e6;
    add(ENERGY, (capacity(pack) as number) * volts);
    add(AVAILABLE, readRaw(telemetry, FIELDS.remainingCapacity) * volts);
    const charge = setup.valid ? readRaw(setup, FIELDS.maxChargeCurrent) : NaN;
    const discharge = setup.valid ? readRaw(setup, FIELDS.maxDischargeCurrent) : NaN;
    add(CHARGE_LIMIT, charge / 100);
    add(DISCHARGE_LIMIT, discharge / 100);
    add(CHARGE_RATE, charge * volts);
    add(DISCHARGE_RATE, discharge * volts);
    const span = temperatureSpan(pack);
    if (span === undefined) continue;
    into[COLDEST] = less(get(COLDEST), lowestOf(span));
    into[HOTTEST] = more(get(HOTTEST), highestOf(span));
  }
  into[EVENTS] = events | eventsOf(alarms);
  into[STATUS] = (online ? 1 : 0) | (connected ? 2 : 0);
  into[CONNECTED] = connected;
  if (!online) return;
  const current = get(CURRENT);
  const charge = get(CHARGE);
  const faults = faultsIn(alarms);
  into[ALARMS] = alarms & 0x7fff_ffff;
  into[CONTACTORS] = contactors;
  into[CHARGES] = contactors & 1;
  into[DISCHARGES] = contactors >> 1;
  into[AVERAGE_CELL] = average / online;
  into[MIDDLE] = (get(COLDEST) + get(HOTTEST)) / 2;
  into[DEPTH] = FULL - charge;
  into[STATE] = contactors ? IS_CONNECTED : faults ? HAS_FAULT : IS_DISCONNECTED;
  into[OPERATION] = contactors ? 1 : 2;
  into[SEVERITY] = faults ? (contactors ? 1 : 2) : 0;
  if (current <= -RESTS) into[CHARGE_STATE] = DISCHARGING;
  else if (current >= RESTS) into[CHARGE_STATE] = CHARGING;
  else into[CHARGE_STATE] = charge >= FULL ? IS_FULL : charge > 0 ? HOLDING : EMPTY;
}
