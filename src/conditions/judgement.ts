/** What is wrong with a pack by its blocks: pure, blocks in, a set out. What only the monitor knows it adds (src/packs/pack-record.ts). */
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { TELEMETRY, type BlockImage } from "jk-bms/types";
import { faultsIn, FULLY_CHARGED } from "../catalogue/alarms";
import {
  alarmCode,
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
import type { Blocks, Pack } from "../catalogue/pack";
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

/** With the pack: it alone knows what its firmware has. */
type Judged = Required<Blocks>;

/** The concerns about `pack`; NONE: everything required is known and good. Of a pack that is offline nothing else is known. */
export function concernsOf(pack: Pack): Conditions {
  const telemetry = currentBlock(pack, TELEMETRY);
  if (!telemetry) return OFFLINE;
  const blocks = { telemetry, setup: pack.setup, whole: pack };
  const alarms = alarmCode(blocks) as number;
  let found = ofTelemetry(blocks);
  if (faultsIn(alarms)) found = sets.plus(found, ALARM);
  if (!settledSetup(pack)) return sets.plus(found, SETTINGS_UNREAD);
  found = addSwitches(found, blocks, alarms);
  found = addCellLimits(found, blocks);
  return addTemperatures(found, blocks);
}

function ofTelemetry(blocks: Judged): Conditions {
  const { telemetry } = blocks;
  let found = sets.NONE;
  if (readRaw(telemetry, FIELDS.emergencyTime)) found = sets.plus(found, EMERGENCY);
  if (readRaw(telemetry, FIELDS.wireResistanceAlarms)) found = sets.plus(found, WIRES);
  if (telemetry.contradicts || !capacity(blocks)) found = sets.plus(found, CONTRADICTION);
  else if (readRaw(telemetry, FIELDS.soc) <= LOW_CHARGE) found = sets.plus(found, LOW);
  if ((cellDelta(blocks) ?? 0) > spreadLimit(blocks)) found = sets.plus(found, SPREAD);
  return found;
}

/** mV. */
function spreadLimit(blocks: Judged): number {
  const full = capacity(blocks);
  const isLoaded = Math.abs(readRaw(blocks.telemetry, FIELDS.packCurrent)) > (full ? full / LOAD_HOURS : LOAD_CURRENT);
  return isLoaded ? SPREAD_UNDER_LOAD : SPREAD_AT_REST;
}

/** What is switched off, and what is switched on but blocked by a protection. A full pack blocks its charging: that is well. */
function addSwitches(found: Conditions, { telemetry, setup }: Judged, alarms: number): Conditions {
  if (readRaw(setup, FIELDS.switchWord) & PROBES_OFF) found = sets.plus(found, SENSORS_IGNORED);
  if (!readRaw(setup, FIELDS.dischargeEnabled)) found = sets.plus(found, DISCHARGING_OFF);
  else if (!readRaw(telemetry, FIELDS.dischargeMos)) found = sets.plus(found, DISCHARGING_BLOCKED);
  if (!readRaw(setup, FIELDS.chargeEnabled)) found = sets.plus(found, CHARGING_OFF);
  else if (!readRaw(telemetry, FIELDS.chargeMos) && !(alarms & FULLY_CHARGED))
    found = sets.plus(found, CHARGING_BLOCKED);
  return found;
}

/** Cells within NEAR_LIMIT_PERCENT of the pack's own limits, or beyond them. */
function addCellLimits(found: Conditions, blocks: Judged): Conditions {
  const { setup } = blocks;
  const highest = maxVoltage(blocks);
  if (highest === undefined) return found;
  if (highest >= highCell(setup)) found = sets.plus(found, CELL_HIGH);
  if ((minVoltage(blocks) as number) <= lowCell(setup)) found = sets.plus(found, CELL_LOW);
  return found;
}

/** mV: the first that is near. */
const highCell = (setup: BlockImage): number =>
  Math.ceil((readRaw(setup, FIELDS.cellOvpVoltage) * (100 - NEAR_LIMIT_PERCENT)) / 100);
const lowCell = (setup: BlockImage): number =>
  Math.floor((readRaw(setup, FIELDS.cellUvpVoltage) * (100 + NEAR_LIMIT_PERCENT)) / 100);

/** Tenths of a degree; -Infinity of a pack that does not have it, or does not use it. */
function dischargeUtp({ setup, whole }: Judged): number {
  const limit = readRaw(setup, FIELDS.dischargeUtp);
  const isInUse = limit || readRaw(setup, FIELDS.dischargeUtpr);
  return isInUse && isSince(whole, FIRMWARE_19) ? 10 * limit : -Infinity;
}

/**
 * Tenths of a degree: the first that is near a limit that applies: those of charging unless the pack discharges, and those of discharging unless it
 * is charged.
 */
function hotProbe({ telemetry, setup }: Judged): number {
  const current = readRaw(telemetry, FIELDS.packCurrent);
  const charge = current >= 0 ? readRaw(setup, FIELDS.chargeOtp) : Infinity;
  const discharge = current <= 0 ? readRaw(setup, FIELDS.dischargeOtp) : Infinity;
  return Math.min(charge, discharge) - NEAR_LIMIT_TEMPERATURE;
}

const coldProbe = (blocks: Judged): number =>
  (readRaw(blocks.telemetry, FIELDS.packCurrent) >= 0
    ? readRaw(blocks.setup, FIELDS.chargeUtp)
    : dischargeUtp(blocks)) + NEAR_LIMIT_TEMPERATURE;

const hotMosfet = ({ setup }: Judged): number => readRaw(setup, FIELDS.mosOtp) - NEAR_LIMIT_TEMPERATURE;

function addTemperatures(found: Conditions, blocks: Judged): Conditions {
  const span = temperatureSpan(blocks);
  if (span !== undefined) {
    if (highestOf(span) >= hotProbe(blocks)) found = sets.plus(found, TEMPERATURE_HIGH);
    if (lowestOf(span) <= coldProbe(blocks)) found = sets.plus(found, TEMPERATURE_LOW);
  }
  // A comparison with undefined is false: an absent probe is not near anything.
  if ((mosfetTemperature(blocks) as number) >= hotMosfet(blocks)) found = sets.plus(found, TEMPERATURE_HIGH);
  return found;
}

/** What is judged of this row, as last known; undefined: no number is, or not here. */
export function measurementIn(pack: Pack, row: Conditions): Measured | undefined {
  const { setup, telemetry } = pack;
  const blocks = { telemetry, setup, whole: pack };
  if (!telemetry.valid) return undefined;
  if (row === EMERGENCY) return [readRaw(telemetry, FIELDS.emergencyTime)];
  if (row === LOW) return [10 * readRaw(telemetry, FIELDS.soc), 10 * LOW_CHARGE];
  if (row === SPREAD) return [cellDelta(blocks), spreadLimit(blocks)];
  if (!setup.valid) return undefined;
  if (row === CELL_HIGH) return [maxVoltage(blocks), highCell(setup)];
  if (row === CELL_LOW) return [minVoltage(blocks), lowCell(setup)];
  const span = temperatureSpan(blocks);
  if (row === TEMPERATURE_LOW) return [span && lowestOf(span), coldProbe(blocks)];
  if (row !== TEMPERATURE_HIGH) return undefined;
  const mosfet = mosfetTemperature(blocks);
  const limit = hotMosfet(blocks);
  return (mosfet as number) >= limit ? [mosfet, limit] : [span && highestOf(span), hotProbe(blocks)];
}
