import * as FIELDS from "jk-bms/field-table";
import { readRaw, type Field } from "jk-bms/fields";
import { alarmCode, unknownAlarms } from "./computed";
import type { Pack } from "./pack";
import { currentResult } from "./read";

/** A protection or fault that the BMS reports. */
export interface AlarmRow {
  /** Used in topics, metrics and the page's texts; never change it. */
  readonly name: string;
  /** Display name. */
  readonly title: string;
  /** False: a status or a reminder, not a fault of the pack. */
  readonly fault: boolean;
  /** The countdown to its release, s. */
  readonly release?: Field;
}

const alarm = (name: string, title: string, fault = true): AlarmRow => ({ name, title, fault });
const released = (name: string, title: string, release: Field): AlarmRow => ({ name, title, fault: true, release });

/**
 * Row n is bit n of the alarm word, 0x12A0 (docs/jk-modbus.md, "Alarms"), in which the BMS does not use bits 29 to 31; row 29 is bit 4 of a pack
 * that is not full. While it is not known whether it is, neither is raised, and neither is reported to have ended: `unknownAlarms`.
 */
export const ALARMS_TABLE: readonly AlarmRow[] = Object.freeze(
  [
    alarm("wire_resistance", "Balance wire resistance too high"),
    alarm("mosfet_overtemperature", "MOSFET over-temperature"),
    alarm("cell_count", "Cell count does not match the setting"),
    alarm("current_sensor", "Current sensor abnormal"),
    // The vendor's document says cell over-voltage; its app, and packs in the field, use it for fully charged: `alarmCode` distinguishes them.
    alarm("fully_charged", "Battery fully charged", false),
    released("battery_overvoltage", "Battery over-voltage", FIELDS.ovpCountdown),
    released("charge_overcurrent", "Charge over-current", FIELDS.chargeOcpCountdown),
    released("charge_short_circuit", "Charge short circuit", FIELDS.chargeScpCountdown),
    alarm("charge_overtemperature", "Charge over-temperature"),
    alarm("charge_undertemperature", "Charge under-temperature"),
    alarm("internal_communication", "Internal communication error"),
    released("cell_undervoltage", "Cell under-voltage", FIELDS.uvpCountdown),
    alarm("battery_undervoltage", "Battery under-voltage"),
    released("discharge_overcurrent", "Discharge over-current", FIELDS.dischargeOcpCountdown),
    released("discharge_short_circuit", "Discharge short circuit", FIELDS.dischargeScpCountdown),
    alarm("discharge_overtemperature", "Discharge over-temperature"),
    alarm("charge_mosfet", "Charge MOSFET abnormal"),
    alarm("discharge_mosfet", "Discharge MOSFET abnormal"),
    alarm("gps_disconnected", "GPS disconnected"),
    alarm("change_password", "Change the password", false),
    alarm("discharge_on_failed", "Switching the discharge on failed"),
    alarm("battery_overtemperature", "Battery over-temperature"),
    alarm("temperature_sensor", "Temperature sensor abnormal"),
    alarm("parallel_module", "Parallel module abnormal"),
    alarm("short_circuit_release", "Short-circuit release failed"),
    alarm("discharge_overcurrent_2", "Discharge over-current, level 2"),
    alarm("discharge_overcurrent_3", "Discharge over-current, level 3"),
    alarm("discharge_undertemperature", "Discharge under-temperature"),
    alarm("gps_lock", "GPS remote lock"),
    released("cell_overvoltage", "Cell over-voltage", FIELDS.ovpCountdown),
  ],
  true,
);

/** The current alarm word; bit n belongs to row n. Undefined while the BMS is offline, when alarms are unknown. */
export const alarmBits = (pack: Pack): number | undefined => currentResult(alarmCode, pack) as number | undefined;

/** The same, in which what is not known is as it was `before`: for those who report changes. */
export function alarmsAfter(before: number, pack: Pack): number {
  if (!pack.online) return before;
  const unknown = unknownAlarms(pack);
  return (((alarmCode(pack) ?? 0) & ~unknown) | (before & unknown)) >>> 0;
}

/** Bit of the status "fully charged". */
export const FULLY_CHARGED = 1 << ALARMS_TABLE.findIndex(({ name }) => name === "fully_charged");

/** Bits of the rows that are no faults. */
const NOTICES = ALARMS_TABLE.reduce((bits, { fault }, index) => (fault ? bits : bits | (1 << index)), 0);

/** The alarm word without statuses and reminders: 0 while nothing is wrong with the pack. A bit without a row counts as a fault. */
export function faultBits(pack: Pack): number | undefined {
  const bits = alarmBits(pack);
  return bits === undefined ? undefined : faultsIn(bits);
}

export const faultsIn = (bits: number): number => (bits & ~NOTICES) >>> 0;

/** Seconds until the protection of this row is released; 0: no countdown runs, or that is not known. */
export const releaseOf = ({ online, telemetry }: Pack, { release }: AlarmRow): number =>
  online && telemetry.valid && release ? readRaw(telemetry, release) : 0;

/** Whether `bits` contains the alarm of row `index`. */
export const isRaised = (bits: number, index: number): boolean => ((bits >>> index) & 1) === 1;
