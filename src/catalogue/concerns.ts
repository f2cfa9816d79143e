/** What needs attention, alarms or not: the one verdict behind the page, MQTT, the metrics and the status LED. */
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { SETUP, TELEMETRY, type BlockImage } from "jk-bms/types";
import type { JsonWriter } from "json/writer";
import { alarmBits, FULLY_CHARGED, faultBits, isRaised } from "./alarms";
import {
  capacity,
  cellDelta,
  highestOf,
  lowestOf,
  maxVoltage,
  minVoltage,
  mosfetTemperature,
  PROBES_OFF,
  temperatureSpan,
} from "./computed";
import {
  DISPLAY_STRING,
  LOAD_CURRENT,
  LOAD_HOURS,
  LOW_CHARGE,
  NEAR_LIMIT_PERCENT,
  NEAR_LIMIT_TEMPERATURE,
  SPREAD_AT_REST,
  SPREAD_UNDER_LOAD,
} from "./limits";
import type { Pack } from "./pack";
import { currentBlock } from "./read";

/** Codes, used by MQTT, the metrics and the page: never change one, append new ones. Bit n is item n. */
export const CONCERNS = Object.freeze(
  [
    "offline",
    "alarm",
    "emergency",
    "sensors-ignored",
    "cell-high",
    "cell-low",
    "temperature-high",
    "temperature-low",
    "discharging-off",
    "discharging-blocked",
    "charging-off",
    "charging-blocked",
    "low-charge",
    "spread",
    "wires",
    "link",
    "settings-unread",
    "other-master",
    "contradiction",
    "carries-nothing",
    "off-voltage",
    "swapped",
    "shared-address",
  ] as const,
  true,
);
export type Concern = (typeof CONCERNS)[number];

const bit = (concern: Concern): number => 1 << CONCERNS.indexOf(concern);

const OFFLINE = bit("offline");
export const ALARM = bit("alarm");
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
const SETTINGS_UNREAD = bit("settings-unread");
const CONTRADICTION = bit("contradiction");
/** Of packs in parallel, compared: known to the monitor (src/packs/comparison.ts). */
export const CARRIES_NOTHING = bit("carries-nothing");
export const OFF_VOLTAGE = bit("off-voltage");
/** Another pack than before answers at its address, or two do: nothing else that is known of it is one pack's for sure. */
export const SWAPPED = bit("swapped");
export const SHARED = bit("shared-address");
/** Another master is on the bus, and nothing is sent: known to the monitor. */
export const OTHER_MASTER = bit("other-master");
/** The link loses replies: known to the monitor, not to the pack. */
export const LINK = bit("link");

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

/** Temperatures near the limits that apply: those of charging unless the pack discharges, and those of discharging unless it is charged. */
function ofTemperatures(pack: Pack, setup: BlockImage): number {
  const current = readRaw(pack.telemetry, FIELDS.packCurrent);
  const charge = current >= 0 ? readRaw(setup, FIELDS.chargeOtp) : Infinity;
  const discharge = current <= 0 ? readRaw(setup, FIELDS.dischargeOtp) : Infinity;
  const high = Math.min(charge, discharge) - NEAR_LIMIT_TEMPERATURE;
  const low = current >= 0 ? readRaw(setup, FIELDS.chargeUtp) + NEAR_LIMIT_TEMPERATURE : -Infinity;
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

/** What is wrong for sure is reported first. */
const FAULTS = OFFLINE | ALARM | SWAPPED | SHARED;

const codesIn = (bits: number): Concern[] => CONCERNS.filter((_, index) => isRaised(bits, index));

/** The codes in `bits`, the most urgent first; none: all is well. */
const concernCodes = (bits: number): Concern[] => [...codesIn(bits & FAULTS), ...codesIn(bits & ~FAULTS)];

/** The same with blanks between them; of too many for a DisplayString the most urgent. */
export function concernsText(bits: number): string {
  let text = concernCodes(bits).join(" ");
  while (text.length > DISPLAY_STRING) text = text.slice(0, text.lastIndexOf(" "));
  return text;
}

/** Writes `well`, and the codes in `bits` as the array `concerns`. */
export function writeConcerns(json: JsonWriter, bits: number): void {
  json.boolean("well", !bits).strings("concerns", concernCodes(bits));
}
