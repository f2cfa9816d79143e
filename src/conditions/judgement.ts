/** What is wrong with a pack by its blocks: pure, blocks in, a set out. What only the monitor knows it adds (src/packs/pack-record.ts). */
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { TELEMETRY, type BlockImage } from "jk-bms/types";
import { alarmBits, FULLY_CHARGED, faultBits } from "../catalogue/alarms";
import {
  capacity,
  cellDelta,
  FIRMWARE_19,
  highestOf,
  isSince,
  lowestOf,
  maxVoltage,
  minVoltage,
  mosfetTemperature,
  PROBES_OFF,
  temperatureSpan,
} from "../catalogue/computed";
import {
  LOAD_CURRENT,
  LOAD_HOURS,
  LOW_CHARGE,
  NEAR_LIMIT_PERCENT,
  NEAR_LIMIT_TEMPERATURE,
  SPREAD_AT_REST,
  SPREAD_UNDER_LOAD,
} from "../catalogue/limits";
import type { Pack } from "../catalogue/pack";
import { currentBlock, settledSetup } from "../catalogue/read";

import {
  ALARM,
  CELL_HIGH,
  CELL_LOW,
  CHARGING_BLOCKED,
  CHARGING_OFF,
  CONTRADICTION,
  DISCHARGING_BLOCKED,
  DISCHARGING_OFF,
  EMERGENCY,
  LOW,
  OFFLINE,
  SENSORS_IGNORED,
  SETTINGS_UNREAD,
  SPREAD,
  TEMPERATURE_HIGH,
  TEMPERATURE_LOW,
  WIRES,
} from "./rows";
import * as sets from "./set";
import type { Conditions } from "./set";
import type { Measured } from "./types";

/** The concerns about `pack`; NONE: everything required is known and good. Of a pack that is offline nothing else is known. */
export function concernsOf(pack: Pack): Conditions {
  const telemetry = currentBlock(pack, TELEMETRY);
  if (!telemetry) return OFFLINE;
  const setup = settledSetup(pack);
  let found = ofTelemetry(pack, telemetry);
  if (faultBits(pack)) found = sets.plus(found, ALARM);
  if (!setup) return sets.plus(found, SETTINGS_UNREAD);
  found = addSwitches(found, pack, telemetry, setup);
  found = addCellLimits(found, pack, setup);
  return addTemperatures(found, pack, setup);
}

function ofTelemetry(pack: Pack, telemetry: BlockImage): Conditions {
  let found = sets.NONE;
  if (readRaw(telemetry, FIELDS.emergencyTime)) found = sets.plus(found, EMERGENCY);
  if (readRaw(telemetry, FIELDS.wireResistanceAlarms)) found = sets.plus(found, WIRES);
  if (telemetry.contradicts || !capacity(pack)) found = sets.plus(found, CONTRADICTION);
  else if (readRaw(telemetry, FIELDS.soc) <= LOW_CHARGE) found = sets.plus(found, LOW);
  if ((cellDelta(pack) ?? 0) > spreadLimit(pack)) found = sets.plus(found, SPREAD);
  return found;
}

/** mV. */
function spreadLimit(pack: Pack): number {
  const full = capacity(pack);
  const isLoaded = Math.abs(readRaw(pack.telemetry, FIELDS.packCurrent)) > (full ? full / LOAD_HOURS : LOAD_CURRENT);
  return isLoaded ? SPREAD_UNDER_LOAD : SPREAD_AT_REST;
}

/** What is switched off, and what is switched on but blocked by a protection. A full pack blocks its charging: that is well. */
function addSwitches(found: Conditions, pack: Pack, telemetry: BlockImage, setup: BlockImage): Conditions {
  if (readRaw(setup, FIELDS.switchWord) & PROBES_OFF) found = sets.plus(found, SENSORS_IGNORED);
  if (!readRaw(setup, FIELDS.dischargeEnabled)) found = sets.plus(found, DISCHARGING_OFF);
  else if (!readRaw(telemetry, FIELDS.dischargeMos)) found = sets.plus(found, DISCHARGING_BLOCKED);
  if (!readRaw(setup, FIELDS.chargeEnabled)) found = sets.plus(found, CHARGING_OFF);
  else if (!readRaw(telemetry, FIELDS.chargeMos) && !((alarmBits(pack) as number) & FULLY_CHARGED))
    found = sets.plus(found, CHARGING_BLOCKED);
  return found;
}

/** Cells within NEAR_LIMIT_PERCENT of the pack's own limits, or beyond them. */
function addCellLimits(found: Conditions, pack: Pack, setup: BlockImage): Conditions {
  const highest = maxVoltage(pack);
  if (highest === undefined) return found;
  if (highest >= highCell(setup)) found = sets.plus(found, CELL_HIGH);
  if ((minVoltage(pack) as number) <= lowCell(setup)) found = sets.plus(found, CELL_LOW);
  return found;
}

/** mV: the first that is near. */
const highCell = (setup: BlockImage): number =>
  Math.ceil((readRaw(setup, FIELDS.cellOvpVoltage) * (100 - NEAR_LIMIT_PERCENT)) / 100);
const lowCell = (setup: BlockImage): number =>
  Math.floor((readRaw(setup, FIELDS.cellUvpVoltage) * (100 + NEAR_LIMIT_PERCENT)) / 100);

/** Tenths of a degree; -Infinity of a pack that does not have it, or does not use it. */
function dischargeUtp(pack: Pack, setup: BlockImage): number {
  const limit = readRaw(setup, FIELDS.dischargeUtp);
  const isInUse = limit || readRaw(setup, FIELDS.dischargeUtpr);
  return isInUse && isSince(pack, FIRMWARE_19) ? 10 * limit : -Infinity;
}

/**
 * Tenths of a degree: the first that is near a limit that applies: those of charging unless the pack discharges, and those of discharging unless it
 * is charged.
 */
function hotProbe(pack: Pack, setup: BlockImage): number {
  const current = readRaw(pack.telemetry, FIELDS.packCurrent);
  const charge = current >= 0 ? readRaw(setup, FIELDS.chargeOtp) : Infinity;
  const discharge = current <= 0 ? readRaw(setup, FIELDS.dischargeOtp) : Infinity;
  return Math.min(charge, discharge) - NEAR_LIMIT_TEMPERATURE;
}

const coldProbe = (pack: Pack, setup: BlockImage): number =>
  (readRaw(pack.telemetry, FIELDS.packCurrent) >= 0 ? readRaw(setup, FIELDS.chargeUtp) : dischargeUtp(pack, setup)) +
  NEAR_LIMIT_TEMPERATURE;

const hotMosfet = (setup: BlockImage): number => readRaw(setup, FIELDS.mosOtp) - NEAR_LIMIT_TEMPERATURE;

function addTemperatures(found: Conditions, pack: Pack, setup: BlockImage): Conditions {
  const span = temperatureSpan(pack);
  if (span !== undefined) {
    if (highestOf(span) >= hotProbe(pack, setup)) found = sets.plus(found, TEMPERATURE_HIGH);
    if (lowestOf(span) <= coldProbe(pack, setup)) found = sets.plus(found, TEMPERATURE_LOW);
  }
  // A comparison with undefined is false: an absent probe is not near anything.
  if ((mosfetTemperature(pack) as number) >= hotMosfet(setup)) found = sets.plus(found, TEMPERATURE_HIGH);
  return found;
}

/** What is judged of this row, as last known; undefined: no number is, or not here. */
export function measurementIn(pack: Pack, row: Conditions): Measured | undefined {
  const { setup, telemetry } = pack;
  if (!telemetry.valid) return undefined;
  if (row === EMERGENCY) return [readRaw(telemetry, FIELDS.emergencyTime)];
  if (row === LOW) return [10 * readRaw(telemetry, FIELDS.soc), 10 * LOW_CHARGE];
  if (row === SPREAD) return [cellDelta(pack), spreadLimit(pack)];
  if (!setup.valid) return undefined;
  if (row === CELL_HIGH) return [maxVoltage(pack), highCell(setup)];
  if (row === CELL_LOW) return [minVoltage(pack), lowCell(setup)];
  const span = temperatureSpan(pack);
  if (row === TEMPERATURE_LOW) return [span && lowestOf(span), coldProbe(pack, setup)];
  if (row !== TEMPERATURE_HIGH) return undefined;
  const mosfet = mosfetTemperature(pack);
  const limit = hotMosfet(setup);
  return (mosfet as number) >= limit ? [mosfet, limit] : [span && highestOf(span), hotProbe(pack, setup)];
}
