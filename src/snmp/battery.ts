/** The pack as a battery of the standard MIBs. */
import * as FIELDS from "jk-bms/field-table";
import { alarmBits } from "../catalogue/alarms";
import { charge as chargeOf, highestOf, temperatureSpan } from "../catalogue/computed";
import type { Pack } from "../catalogue/pack";
import { currentResult, readNumber } from "../catalogue/read";
import { DISCHARGING, LOW_CHARGE, UNDERVOLTAGE } from "./limits";

/** upsBatteryStatus */
const UNKNOWN = 1;
const NORMAL = 2;
export const LOW = 3;
export const DEPLETED = 4;

export function batteryStatus(pack: Pack): number {
  const charge = currentResult(chargeOf, pack) as number | undefined;
  const alarms = alarmBits(pack);
  if (charge === undefined || alarms === undefined) return UNKNOWN;
  if (charge <= 0 || alarms & UNDERVOLTAGE) return DEPLETED;
  return charge <= LOW_CHARGE ? LOW : NORMAL;
}

/** Discharge current, mA; 0 when charging, at rest or unknown. */
export function dischargeCurrent(pack: Pack): number {
  const current = readNumber(FIELDS.packCurrent, pack) ?? 0;
  return current <= -DISCHARGING ? -current : 0;
}

export const onBattery = (pack: Pack): boolean => dischargeCurrent(pack) > 0;

/** The discharge MOSFET conducts, so there is an output. */
export const outputOn = (pack: Pack): boolean => readNumber(FIELDS.dischargeMos, pack) === 1;

/** Minutes until empty at the present current, at least 1 (RFC 1628 has no zero here); undefined unless discharging. */
export function minutesLeft(pack: Pack): number | undefined {
  const current = dischargeCurrent(pack);
  const remaining = readNumber(FIELDS.remainingCapacity, pack);
  if (!current || remaining === undefined) return undefined;
  return Math.max(Math.floor((remaining * 60) / current), 1);
}

/** Tenths of a degree Celsius: the hottest of the battery's probes. */
export function batteryTemperature(pack: Pack): number | undefined {
  const span = currentResult(temperatureSpan, pack) as number | undefined;
  return span === undefined ? undefined : highestOf(span);
}
