/** All that is set in a pack, by register (docs/jk-modbus.md, "Settings"): what GET /api/bms/setup has. */
import * as FIELDS from "jk-bms/field-table";
import { decimalsOf, readRaw, type Field } from "jk-bms/fields";
import type { JsonWriter } from "json/writer";
import { FIRMWARE_19, isSince } from "./computed";
import type { Pack } from "./pack";

/** Numbers in the unit of the field's scale, each with its member's name before it: a list of its own for each would take flash. */
const NUMBERS: readonly (string | Field)[] = Object.freeze(
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
  ],
  true,
);

/** The same one by one. */
export const setupRows = (): readonly (readonly [name: string, field: Field])[] =>
  NUMBERS.flatMap((name, at) => (at % 2 ? [] : [[name as string, NUMBERS[at + 1] as Field] as const]));

/** Bit n of the switch word. */
export const SETUP_SWITCHES = Object.freeze(
  [
    "heating",
    "temperatureSensorsDisabled",
    "gpsHeartbeat",
    "rs485",
    "displayAlwaysOn",
    "specialCharger",
    "smartSleep",
    "parallelLimiterOff",
    "timedStoredData",
    "floatMode",
    "buttonEmergency",
    "dryContactsIntermittent",
    "dischargeOcp2",
    "dischargeOcp3",
    "gpsLocksCharging",
    "gpsLocksDischarging",
  ] as const,
  true,
);

/** The limits for discharging in the cold, of a pack that has them and uses them. */
const isLeftOut = (pack: Pack, field: Field): boolean =>
  (field === FIELDS.dischargeUtp || field === FIELDS.dischargeUtpr) &&
  !(
    isSince(pack, FIRMWARE_19) &&
    (readRaw(pack.setup, FIELDS.dischargeUtp) || readRaw(pack.setup, FIELDS.dischargeUtpr))
  );

/** Writes the members: what the pack's firmware does not have is absent. Its setup has been read. */
export function writeSetup(json: JsonWriter, pack: Pack): void {
  const { setup } = pack;
  for (let at = 0; at < NUMBERS.length; at += 2) {
    const field = NUMBERS[at + 1] as Field;
    if (!isLeftOut(pack, field)) json.decimal(NUMBERS[at] as string, readRaw(setup, field), decimalsOf(field));
  }
  json.boolean("chargeEnabled", readRaw(setup, FIELDS.chargeEnabled) !== 0);
  json.boolean("dischargeEnabled", readRaw(setup, FIELDS.dischargeEnabled) !== 0);
  json.boolean("balanceEnabled", readRaw(setup, FIELDS.balanceEnabled) !== 0);
  json.open("switches");
  const word = readRaw(setup, FIELDS.switchWord);
  SETUP_SWITCHES.forEach((name, bit) => json.boolean(name, ((word >> bit) & 1) === 1));
  json.close();
}
