/** All that is set in a pack, by register (docs/jk-modbus.md, "Settings" and "Further settings"): what GET /api/bms/setup has. */
import * as FIELDS from "jk-bms/field-table";
import { blockOf, decimalsOf, readRaw, type Field } from "jk-bms/fields";
import { SETUP } from "jk-bms/types";
import type { JsonWriter } from "json/writer";
import { FIRMWARE_19, isSince } from "./computed";
import type { Pack } from "./pack";

/** Numbers in the unit of the field's scale, each with its member's name before it. */
const ROWS: readonly (string | Field)[] = Object.freeze(
  [
    ...["smartSleepVoltage", FIELDS.smartSleepVoltage],
    ...["cellUvpVoltage", FIELDS.cellUvpVoltage],
    ...["cellUvprVoltage", FIELDS.cellUvprVoltage],
    ...["cellOvpVoltage", FIELDS.cellOvpVoltage],
    ...["cellOvprVoltage", FIELDS.cellOvprVoltage],
    ...["balanceTriggerVoltage", FIELDS.balanceTriggerVoltage],
    ...["soc100Voltage", FIELDS.soc100Voltage],
    ...["soc0Voltage", FIELDS.soc0Voltage],
    ...["cellRcvVoltage", FIELDS.cellRcvVoltage],
    ...["cellRfvVoltage", FIELDS.cellRfvVoltage],
    ...["powerOffVoltage", FIELDS.powerOffVoltage],
    ...["maxChargeCurrent", FIELDS.maxChargeCurrent],
    ...["chargeOcpDelay", FIELDS.chargeOcpDelay],
    ...["chargeOcpRelease", FIELDS.chargeOcpRelease],
    ...["maxDischargeCurrent", FIELDS.maxDischargeCurrent],
    ...["dischargeOcpDelay", FIELDS.dischargeOcpDelay],
    ...["dischargeOcpRelease", FIELDS.dischargeOcpRelease],
    ...["shortCircuitRelease", FIELDS.shortCircuitRelease],
    ...["maxBalanceCurrent", FIELDS.maxBalanceCurrent],
    ...["chargeOtp", FIELDS.chargeOtp],
    ...["chargeOtpr", FIELDS.chargeOtpr],
    ...["dischargeOtp", FIELDS.dischargeOtp],
    ...["dischargeOtpr", FIELDS.dischargeOtpr],
    ...["chargeUtp", FIELDS.chargeUtp],
    ...["chargeUtpr", FIELDS.chargeUtpr],
    ...["mosOtp", FIELDS.mosOtp],
    ...["mosOtpr", FIELDS.mosOtpr],
    ...["cellCount", FIELDS.cellCount],
    ...["capacity", FIELDS.capacity],
    ...["shortCircuitDelay", FIELDS.shortCircuitDelay],
    ...["balanceStartVoltage", FIELDS.balanceStartVoltage],
    ...["deviceAddress", FIELDS.deviceAddress],
    ...["prechargeTime", FIELDS.prechargeTime],
    ...["heatingStart", FIELDS.heatingStart],
    ...["heatingStop", FIELDS.heatingStop],
    ...["smartSleepTime", FIELDS.smartSleepTime],
    ...["dischargeUtp", FIELDS.dischargeUtp],
    ...["dischargeUtpr", FIELDS.dischargeUtpr],
    ...["rcvTime", FIELDS.rcvTime],
    ...["rfvTime", FIELDS.rfvTime],
    ...["rebulkCharge", FIELDS.rebulkCharge],
    ...["emergencyDuration", FIELDS.emergencyDuration],
    ...["storePeriod", FIELDS.storePeriod],
    ...["buzzerTrigger", FIELDS.buzzerTrigger],
    ...["buzzerOn", FIELDS.buzzerOn],
    ...["buzzerOff", FIELDS.buzzerOff],
    ...["dry1Trigger", FIELDS.dry1Trigger],
    ...["dry1On", FIELDS.dry1On],
    ...["dry1Off", FIELDS.dry1Off],
    ...["dry2Trigger", FIELDS.dry2Trigger],
    ...["dry2On", FIELDS.dry2On],
    ...["dry2Off", FIELDS.dry2Off],
  ],
  true,
);

// As a text and an array of numbers they take a third of the flash.
const NAMES = ROWS.filter((_, at) => !(at % 2)).join(" ");
const NUMBERS = Uint32Array.from(ROWS.filter((_, at) => at % 2) as Field[]);

/** The same one by one. */
export const setupRows = (): readonly (readonly [name: string, field: Field])[] =>
  NAMES.split(" ").map((name, at) => [name, NUMBERS[at] as Field] as const);

/** Bit n of the switch word, likewise. */
const SWITCH_NAMES =
  "heating temperatureSensorsDisabled gpsHeartbeat rs485 displayAlwaysOn specialCharger smartSleep parallelLimiterOff timedStoredData floatMode buttonEmergency dryContactsIntermittent dischargeOcp2 dischargeOcp3 gpsLocksCharging gpsLocksDischarging";

/** The same one by one. */
export const setupSwitches = (): readonly string[] => SWITCH_NAMES.split(" ");

/** What the pack does not have: limits for discharging in the cold that it does not use, and what lies behind its passwords and was not read. */
function isLeftOut(pack: Pack, field: Field): boolean {
  const { deviceInfo, setup } = pack;
  if (field === FIELDS.dischargeUtp || field === FIELDS.dischargeUtpr)
    return !(
      isSince(pack, FIRMWARE_19) &&
      (readRaw(setup, FIELDS.dischargeUtp) || readRaw(setup, FIELDS.dischargeUtpr))
    );
  if (blockOf(field) === SETUP) return false;
  if (!deviceInfo.valid || readRaw(deviceInfo, FIELDS.storePeriod) <= 0) return true;
  if (field === FIELDS.emergencyDuration) return !readRaw(deviceInfo, field);
  return field === FIELDS.rebulkCharge && !isSince(pack, FIRMWARE_19);
}

/** Writes the members: what the pack's firmware does not have is absent. Its setup has been read. */
export function writeSetup(json: JsonWriter, pack: Pack): void {
  const { deviceInfo, setup } = pack;
  for (const [name, field] of setupRows()) {
    const image = blockOf(field) === SETUP ? setup : deviceInfo;
    if (!isLeftOut(pack, field)) json.decimal(name, readRaw(image, field), decimalsOf(field));
  }
  json.boolean("chargeEnabled", readRaw(setup, FIELDS.chargeEnabled) !== 0);
  json.boolean("dischargeEnabled", readRaw(setup, FIELDS.dischargeEnabled) !== 0);
  json.boolean("balanceEnabled", readRaw(setup, FIELDS.balanceEnabled) !== 0);
  json.open("switches");
  const word = readRaw(setup, FIELDS.switchWord);
  setupSwitches().forEach((name, bit) => json.boolean(name, ((word >> bit) & 1) === 1));
  json.close();
}
