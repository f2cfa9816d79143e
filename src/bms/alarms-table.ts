import { FIELDS, readRaw } from "jk-bms/fields";
import type { Monitor } from "./types";

/** A protection or fault that the BMS reports. */
export interface AlarmRow {
  /** Bit of the alarm word, 0x12A0 (jk-modbus: 3.4). */
  readonly bit: number;
  /** For topics, metrics and the page's texts; never to be changed. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** False: a state or a reminder, nothing that is wrong with the pack. */
  readonly fault: boolean;
}

const alarm = (bit: number, name: string, title: string, fault = true): AlarmRow => ({ bit, name, title, fault });

/** The alarm bits, in their order; 29 to 31 are unused. */
export const ALARMS_TABLE: readonly AlarmRow[] = Object.freeze(
  [
    alarm(0, "wire_resistance", "Balance wire resistance too high"),
    alarm(1, "mosfet_overtemperature", "MOSFET over-temperature"),
    alarm(2, "cell_count", "Cell count does not match the setting"),
    alarm(3, "current_sensor", "Current sensor abnormal"),
    // The vendor's document: cell over-voltage. Its app, and what packs in the field show: full.
    alarm(4, "fully_charged", "Battery fully charged", false),
    alarm(5, "battery_overvoltage", "Battery over-voltage"),
    alarm(6, "charge_overcurrent", "Charge over-current"),
    alarm(7, "charge_short_circuit", "Charge short circuit"),
    alarm(8, "charge_overtemperature", "Charge over-temperature"),
    alarm(9, "charge_undertemperature", "Charge under-temperature"),
    alarm(10, "internal_communication", "Internal communication error"),
    alarm(11, "cell_undervoltage", "Cell under-voltage"),
    alarm(12, "battery_undervoltage", "Battery under-voltage"),
    alarm(13, "discharge_overcurrent", "Discharge over-current"),
    alarm(14, "discharge_short_circuit", "Discharge short circuit"),
    alarm(15, "discharge_overtemperature", "Discharge over-temperature"),
    alarm(16, "charge_mosfet", "Charge MOSFET abnormal"),
    alarm(17, "discharge_mosfet", "Discharge MOSFET abnormal"),
    alarm(18, "gps_disconnected", "GPS disconnected"),
    alarm(19, "change_password", "Change the password", false),
    alarm(20, "discharge_on_failed", "Switching the discharge on failed"),
    alarm(21, "battery_overtemperature", "Battery over-temperature"),
    alarm(22, "temperature_sensor", "Temperature sensor abnormal"),
    alarm(23, "parallel_module", "Parallel module abnormal"),
    alarm(24, "short_circuit_release", "Short-circuit release failed"),
    alarm(25, "discharge_overcurrent_2", "Discharge over-current, level 2"),
    alarm(26, "discharge_overcurrent_3", "Discharge over-current, level 3"),
    alarm(27, "discharge_undertemperature", "Discharge under-temperature"),
    alarm(28, "gps_lock", "GPS remote lock"),
  ],
  true,
);

/** The alarm word as last read: bit n is row n's. 0 before the first reply. */
export function alarmBits({ telemetry }: Monitor): number {
  return telemetry.valid ? readRaw(telemetry, FIELDS.alarmCode) : 0;
}
