/** Maps BMS alarms to the well-known alarms of RFC 1628, which are below upsWellKnownAlarms. */
import { arcs } from "snmp-agent/oid";
import { ALARMS_TABLE, faultBits, isRaised } from "../catalogue/alarms";
import type { Pack } from "../catalogue/pack";
import { batteryStatus, DEPLETED, LOW, onBattery, outputOn } from "./battery";

export const UPS_WELL_KNOWN_ALARMS = arcs(1, 3, 6, 1, 2, 1, 33, 1, 6, 3);

const BATTERY_BAD = 1;
const ON_BATTERY = 2;
const LOW_BATTERY = 3;
const DEPLETED_BATTERY = 4;
const TEMPERATURE_BAD = 5;
const INPUT_BAD = 6;
const OUTPUT_BAD = 7;
const OUTPUT_OVERLOAD = 8;
const CHARGER_FAILED = 13;
const OUTPUT_OFF = 14;
const GENERAL_FAULT = 18;
const COMMUNICATIONS_LOST = 20;
/** The largest well-known alarm of RFC 1628. */
export const LAST_WELL_KNOWN = 24;

/** By the names of ALARMS_TABLE. An unlisted fault maps to the general fault; entries that are not faults raise no alarm. */
const WELL_KNOWN: Readonly<Record<string, number>> = Object.freeze(
  {
    cell_count: BATTERY_BAD,
    mosfet_overtemperature: TEMPERATURE_BAD,
    charge_overtemperature: TEMPERATURE_BAD,
    charge_undertemperature: TEMPERATURE_BAD,
    discharge_overtemperature: TEMPERATURE_BAD,
    discharge_undertemperature: TEMPERATURE_BAD,
    battery_overtemperature: TEMPERATURE_BAD,
    // Problems with the charger's input.
    battery_overvoltage: INPUT_BAD,
    cell_overvoltage: INPUT_BAD,
    charge_overcurrent: INPUT_BAD,
    charge_short_circuit: INPUT_BAD,
    cell_undervoltage: DEPLETED_BATTERY,
    battery_undervoltage: DEPLETED_BATTERY,
    discharge_overcurrent: OUTPUT_OVERLOAD,
    discharge_overcurrent_2: OUTPUT_OVERLOAD,
    discharge_overcurrent_3: OUTPUT_OVERLOAD,
    discharge_short_circuit: OUTPUT_BAD,
    short_circuit_release: OUTPUT_BAD,
    discharge_on_failed: OUTPUT_BAD,
    discharge_mosfet: OUTPUT_BAD,
    charge_mosfet: CHARGER_FAILED,
  },
  true,
);

/**
 * The active alarms: bit n is well-known alarm n.
 * @param bank of several packs: the faults of any, and whether all are online
 */
export function wellKnownAlarms(pack: Pack, bank?: { readonly faults: number; readonly isComplete: boolean }): number {
  const own = faultBits(pack);
  const bits = (own ?? 0) | (bank?.faults ?? 0);
  let present = own === undefined || bank?.isComplete === false ? 1 << COMMUNICATIONS_LOST : 0;
  if (bits)
    ALARMS_TABLE.forEach(({ name }, row) => {
      if (isRaised(bits, row)) present |= 1 << (WELL_KNOWN[name] ?? GENERAL_FAULT);
    });
  if (own === undefined) return present;
  if (onBattery(pack)) present |= 1 << ON_BATTERY;
  if (!outputOn(pack)) present |= 1 << OUTPUT_OFF;
  const status = batteryStatus(pack);
  if (status === LOW) present |= 1 << LOW_BATTERY;
  if (status === DEPLETED) present |= 1 << DEPLETED_BATTERY;
  return present;
}
