/** A battery, one pack or all of them, as numbers that the registers are made of. NaN: unknown. Current and power are positive while charging. */
import { cellsPresent } from "jk-bms/cells";
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { faultsIn } from "../catalogue/alarms";
import { alarmCode, capacity } from "../catalogue/computed";
import { readBank } from "../packs/bank";
import type { BusPack } from "../packs/types";
import { eventsOf, SILENT } from "./events";
import type { ModbusDevice } from "./types";

/* Those of readBank come first, in its order (src/packs/bank.ts). */

export const PACKS = 0;
export const ONLINE = 1;
/** 0.1 %. */
export const CHARGE = 2;
/** mAh. */
export const CAPACITY = 3;
export const REMAINING = 4;
/** mV, mA, 0.01 W. */
export const VOLTAGE = 5;
export const CURRENT = 6;
export const POWER = 7;
/** mV; then the place of the pack, from 1, and the cell. */
export const LOWEST_CELL = 8;
export const LOWEST_PLACE = 9;
export const LOWEST_NUMBER = 10;
export const HIGHEST_CELL = 11;
export const HIGHEST_PLACE = 12;
export const HIGHEST_NUMBER = 13;
/** Within one pack, the greatest. */
export const CELL_DELTA = 14;
/** 0.1 degrees Celsius. */
export const HOTTEST = 16;
export const COLDEST = 18;

/** %: the least of the packs. */
export const HEALTH = 19;
/** The most of the packs. */
export const CYCLES = 20;
/** The alarm word, of several packs all their bits. */
export const ALARMS = 21;
/** 1: of at least one pack this MOSFET conducts. */
export const CHARGES = 22;
export const DISCHARGES = 23;
/** Wh since the first start of the device; unknown of one of several packs. */
export const CHARGED = 24;
export const DISCHARGED = 25;
/** Wh, by the nominal voltage of the cells. */
export const ENERGY = 26;
export const AVAILABLE = 27;
/** W, by the same, and 0.1 A that the setup allows. */
export const CHARGE_RATE = 28;
export const DISCHARGE_RATE = 29;
export const CHARGE_LIMIT = 30;
export const DISCHARGE_LIMIT = 31;
/** 0.1 %. */
export const DEPTH = 32;
/** ChaSt, State of 802 and Sta of 713. */
export const CHARGE_STATE = 33;
export const STATE = 34;
export const SEVERITY = 35;
/** Seconds since the start. */
export const HEARTBEAT = 36;
export const EVENTS = 37;
/** mV: the mean of the packs. */
export const AVERAGE_CELL = 38;
/** The middle between the coldest and the hottest. */
export const MIDDLE = 39;
/** Bits: the charge and the discharge MOSFET; enabled and connected. */
export const CONTACTORS = 40;
export const STATUS = 41;
export const CELLS = 42;
/** Of the (first) pack, from 1. */
export const PLACE = 43;
/** Packs that conduct. */
export const CONNECTED = 44;
export const UNIT = 45;
/** Scale factors that follow the number of packs. */
export const POWER_SCALE = 46;
export const ENERGY_SCALE = 47;
export const CAPACITY_SCALE = 48;
/** SetOp: connected or not. */
export const OPERATION = 49;
export const VALUES = 50;

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

/** Reads `packs`, which are one or all, into `into`. */
export function readBattery(into: Float64Array, packs: readonly BusPack[], device: ModbusDevice): void {
  const { length } = packs;
  const isSeveral = length > 1;
  let events = 0;
  let alarms = 0;
  let contactors = 0;
  let connected = 0;
  /** Packs of which something is. */
  let known = 0;
  let health = NaN;
  let cycles = NaN;
  let average = 0;
  let cells = NaN;
  // Sums, of the packs that are online: unknown if that of one is.
  let energy = 0;
  let available = 0;
  let chargeRate = 0;
  let dischargeRate = 0;
  let chargeLimit = 0;
  let dischargeLimit = 0;
  // Not variables of the loop: XS recreates them in each iteration.
  let own = 0;
  let value = 0;
  let volts = 0;
  let charge = NaN;
  let discharge = NaN;
  let pack: BusPack;
  for (let index = 0; index < length; index++) {
    pack = packs[index] as BusPack;
    const { telemetry, setup } = pack;
    const blocks = { telemetry, setup };
    const bits = pack.online ? alarmCode(blocks) : undefined;
    if (bits === undefined) {
      events = SILENT;
      continue;
    }
    own = (readRaw(telemetry, FIELDS.chargeMos) ? 1 : 0) | (readRaw(telemetry, FIELDS.dischargeMos) ? 2 : 0);
    known++;
    alarms |= bits;
    contactors |= own;
    if (own) connected++;
    value = readRaw(telemetry, FIELDS.stateOfHealth);
    if (!(health <= value)) health = value;
    value = readRaw(telemetry, FIELDS.cycles);
    if (!(cycles >= value)) cycles = value;
    average += readRaw(telemetry, FIELDS.averageCellVoltage);
    cells = cellsPresent(telemetry);
    volts = ((NOMINAL[readRaw(telemetry, FIELDS.batteryType)] ?? NaN) * cells) / 1e6;
    energy += (capacity(blocks) as number) * volts;
    available += readRaw(telemetry, FIELDS.remainingCapacity) * volts;
    charge = setup.valid ? readRaw(setup, FIELDS.maxChargeCurrent) : NaN;
    discharge = setup.valid ? readRaw(setup, FIELDS.maxDischargeCurrent) : NaN;
    chargeLimit += charge / 100;
    dischargeLimit += discharge / 100;
    chargeRate += charge * volts;
    dischargeRate += discharge * volts;
  }
  into.fill(NaN);
  readBank(packs, into);
  into[EVENTS] = events | eventsOf(alarms);
  into[STATUS] = (known ? 1 : 0) | (connected ? 2 : 0);
  into[CONNECTED] = connected;
  into[PLACE] = (packs[0] as BusPack).index + 1;
  into[HEARTBEAT] = device.uptime() % 0xffff;
  into[POWER_SCALE] = isSeveral ? 1 : 0;
  into[ENERGY_SCALE] = isSeveral ? 2 : 1;
  into[CAPACITY_SCALE] = isSeveral ? 0 : -1;
  const stored = device.energy?.stored;
  if (stored && length === device.monitor.packs.length) {
    into[CHARGED] = Math.floor(stored.charged / JOULES);
    into[DISCHARGED] = Math.floor(stored.discharged / JOULES);
  }
  if (!known) return;
  const current = into[CURRENT] as number;
  const soc = into[CHARGE] as number;
  const faults = faultsIn(alarms);
  into[LOWEST_PLACE] = placeOf(packs, into[LOWEST_PLACE] as number);
  into[HIGHEST_PLACE] = placeOf(packs, into[HIGHEST_PLACE] as number);
  into[HEALTH] = health;
  into[CYCLES] = cycles;
  into[CELLS] = cells;
  into[ENERGY] = energy;
  into[AVAILABLE] = available;
  into[CHARGE_RATE] = chargeRate;
  into[DISCHARGE_RATE] = dischargeRate;
  into[CHARGE_LIMIT] = chargeLimit;
  into[DISCHARGE_LIMIT] = dischargeLimit;
  into[ALARMS] = alarms & 0x7fff_ffff;
  into[CONTACTORS] = contactors;
  into[CHARGES] = contactors & 1;
  into[DISCHARGES] = contactors >> 1;
  into[AVERAGE_CELL] = average / known;
  into[MIDDLE] = ((into[COLDEST] as number) + (into[HOTTEST] as number)) / 2;
  into[DEPTH] = FULL - soc;
  into[STATE] = contactors ? IS_CONNECTED : faults ? HAS_FAULT : IS_DISCONNECTED;
  into[OPERATION] = contactors ? 1 : 2;
  into[SEVERITY] = faults ? (contactors ? 1 : 2) : 0;
  if (current <= -RESTS) into[CHARGE_STATE] = DISCHARGING;
  else if (current >= RESTS) into[CHARGE_STATE] = CHARGING;
  else into[CHARGE_STATE] = soc >= FULL ? IS_FULL : soc > 0 ? HOLDING : EMPTY;
}
