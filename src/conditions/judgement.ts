/** What is wrong with a pack by its blocks: pure, blocks in, bits out. What only the monitor knows it adds (src/packs/pack-record.ts). */
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { SETUP, TELEMETRY, type BlockImage } from "jk-bms/types";
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
import { currentBlock } from "../catalogue/read";

import { ALARM, bit, OFFLINE, SETTINGS_UNREAD } from "./table";

const EMERGENCY = bit("emergency");
const SENSORS_IGNORED = bit("sensors-ignored");
const CELL_HIGH = bit("cell-high");
const CELL_LOW = bit("cell-low");
const TEMPERATURE_HIGH = bit("temperature-high");
const TEMPERATURE_LOW = bit("temperature-low");
const DISCHARGING_OFF = bit("discharging-off");
const DISCHARGING_BLOCKED = bit("discharging-blocked");
const CHARGING_OFF = bit("charging-off");
const CHARGING_BLOCKED = bit("charging-blocked");
const LOW = bit("low-charge");
const SPREAD = bit("spread");
const WIRES = bit("wires");
const CONTRADICTION = bit("contradiction");

/** The concerns about `pack`, as bits of CONCERNS; 0: everything required is known and good. Of a pack that is offline nothing else is known. */
export function concernsOf(pack: Pack): number {
  const telemetry = currentBlock(pack, TELEMETRY);
  if (!telemetry) return OFFLINE;
  const setup = pack.configurationLoaded && currentBlock(pack, SETUP);
  const faults = faultBits(pack);
  let found = ofTelemetry(pack, telemetry);
  if (faults) found |= ALARM;
  if (!setup) return found | SETTINGS_UNREAD;
  return found | ofSwitches(pack, telemetry, setup) | ofCellLimits(pack, setup) | ofTemperatures(pack, setup);
}

function ofTelemetry(pack: Pack, telemetry: BlockImage): number {
  let found = 0;
  if (readRaw(telemetry, FIELDS.emergencyTime)) found |= EMERGENCY;
  if (readRaw(telemetry, FIELDS.wireResistanceAlarms)) found |= WIRES;
  const full = capacity(pack);
  if (telemetry.contradicts || !full) found |= CONTRADICTION;
  else if (readRaw(telemetry, FIELDS.soc) <= LOW_CHARGE) found |= LOW;
  const load = full ? full / LOAD_HOURS : LOAD_CURRENT;
  const isLoaded = Math.abs(readRaw(telemetry, FIELDS.packCurrent)) > load;
  if ((cellDelta(pack) ?? 0) > (isLoaded ? SPREAD_UNDER_LOAD : SPREAD_AT_REST)) found |= SPREAD;
  return found;
}

/** What is switched off, and what is switched on but blocked by a protection. A full pack blocks its charging: that is well. */
function ofSwitches(pack: Pack, telemetry: BlockImage, setup: BlockImage): number {
  let found = 0;
  if (readRaw(setup, FIELDS.switchWord) & PROBES_OFF) found |= SENSORS_IGNORED;
  if (!readRaw(setup, FIELDS.dischargeEnabled)) found |= DISCHARGING_OFF;
  else if (!readRaw(telemetry, FIELDS.dischargeMos)) found |= DISCHARGING_BLOCKED;
  if (!readRaw(setup, FIELDS.chargeEnabled)) found |= CHARGING_OFF;
  else if (!readRaw(telemetry, FIELDS.chargeMos) && !((alarmBits(pack) as number) & FULLY_CHARGED))
    found |= CHARGING_BLOCKED;
  return found;
}

/** Cells within NEAR_LIMIT_PERCENT of the pack's own limits, or beyond them. */
function ofCellLimits(pack: Pack, setup: BlockImage): number {
  const highest = maxVoltage(pack);
  if (highest === undefined) return 0;
  const high = readRaw(setup, FIELDS.cellOvpVoltage) * (100 - NEAR_LIMIT_PERCENT);
  const low = readRaw(setup, FIELDS.cellUvpVoltage) * (100 + NEAR_LIMIT_PERCENT);
  let found = 0;
  if (highest * 100 >= high) found |= CELL_HIGH;
  if ((minVoltage(pack) as number) * 100 <= low) found |= CELL_LOW;
  return found;
}

/** Tenths of a degree; -Infinity of a pack that does not have it, or does not use it. */
function dischargeUtp(pack: Pack, setup: BlockImage): number {
  const limit = readRaw(setup, FIELDS.dischargeUtp);
  const isInUse = limit || readRaw(setup, FIELDS.dischargeUtpr);
  return isInUse && isSince(pack, FIRMWARE_19) ? 10 * limit : -Infinity;
}

/** Temperatures near the limits that apply: those of charging unless the pack discharges, and those of discharging unless it is charged. */
function ofTemperatures(pack: Pack, setup: BlockImage): number {
  const current = readRaw(pack.telemetry, FIELDS.packCurrent);
  const charge = current >= 0 ? readRaw(setup, FIELDS.chargeOtp) : Infinity;
  const discharge = current <= 0 ? readRaw(setup, FIELDS.dischargeOtp) : Infinity;
  const high = Math.min(charge, discharge) - NEAR_LIMIT_TEMPERATURE;
  const low = (current >= 0 ? readRaw(setup, FIELDS.chargeUtp) : dischargeUtp(pack, setup)) + NEAR_LIMIT_TEMPERATURE;
  const span = temperatureSpan(pack);
  const mosfet = mosfetTemperature(pack);
  let found = 0;
  // A comparison with undefined is false: an absent probe is not near anything.
  if (
    (span !== undefined && highestOf(span) >= high) ||
    (mosfet as number) >= readRaw(setup, FIELDS.mosOtp) - NEAR_LIMIT_TEMPERATURE
  )
    found |= TEMPERATURE_HIGH;
  if (span !== undefined && lowestOf(span) <= low) found |= TEMPERATURE_LOW;
  return found;
}
