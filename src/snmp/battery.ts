/** The pack as the standard MIBs see a battery. Everything here is asked only while the BMS is online. */
import { FIELDS } from "jk-bms/fields";
import { alarmBits } from "../bms/alarms-table";
import { BATTERY1_PROBE, BATTERY2_PROBE } from "../bms/computed";
import { fieldNumber } from "../bms/telemetry-table";
import type { Monitor } from "../bms/types";
import { DISCHARGING, LOW_CHARGE } from "./limits";

/** upsBatteryStatus */
export const UNKNOWN = 1;
export const NORMAL = 2;
export const LOW = 3;
export const DEPLETED = 4;

/** Bits of the alarm word: cell and battery under-voltage. */
const UNDERVOLTAGE = (1 << 11) | (1 << 12);

export function batteryStatus(monitor: Monitor): number {
  if (!monitor.online) return UNKNOWN;
  const charge = fieldNumber(monitor, FIELDS.soc);
  if (charge <= 0 || alarmBits(monitor) & UNDERVOLTAGE) return DEPLETED;
  return charge <= LOW_CHARGE ? LOW : NORMAL;
}

/** Milliamperes out of the pack; 0 when it is charged or rests. */
export function dischargeCurrent(monitor: Monitor): number {
  const current = fieldNumber(monitor, FIELDS.packCurrent);
  return current <= -DISCHARGING ? -current : 0;
}

export const onBattery = (monitor: Monitor): boolean => monitor.online && dischargeCurrent(monitor) > 0;

/** The discharge MOSFET conducts: there is an output. */
export const outputOn = (monitor: Monitor): boolean =>
  monitor.online && fieldNumber(monitor, FIELDS.dischargeMos) !== 0;

/** Minutes until the pack is empty at the present current; undefined while it is not discharged. */
export function minutesLeft(monitor: Monitor): number | undefined {
  const current = dischargeCurrent(monitor);
  if (!current) return undefined;
  return Math.floor((Math.max(fieldNumber(monitor, FIELDS.remainingCapacity), 0) * 60) / current);
}

/** The BMS has the temperature probe. */
export function hasProbe(monitor: Monitor, probe: number): boolean {
  return ((fieldNumber(monitor, FIELDS.temperatureSensors) >> probe) & 1) === 1;
}

/** Tenths of a degree: the first probe at the cells that is there. */
export function batteryTemperature(monitor: Monitor): number | undefined {
  if (hasProbe(monitor, BATTERY1_PROBE)) return fieldNumber(monitor, FIELDS.battery1Temperature);
  return hasProbe(monitor, BATTERY2_PROBE) ? fieldNumber(monitor, FIELDS.battery2Temperature) : undefined;
}
