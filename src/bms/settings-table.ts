import { FIELDS, type Field } from "jk-bms/fields";
import type { WriteName } from "jk-bms/writes";

export type SettingKind = "number" | "integer" | "boolean" | "text";
export type ConfigurationObject = "battery" | "balance" | "protections" | "temperature";

/** One setting of the BMS: how it is named, judged, written and shown. */
export interface SettingRow {
  /** The `setting` of POST /api/bms/settings. */
  readonly name: string;
  /** The name of older clients. */
  readonly alias: string;
  readonly kind: SettingKind;
  /**
   * Inclusive, in units of the register's resolution (10 ** -decimals of `unit`); of a text, its length in characters.
   */
  readonly min: number;
  readonly max: number;
  readonly decimals: number;
  readonly unit: string;
  /** What the link calls its register. */
  readonly write: WriteName;
  /** Where the BMS holds it. */
  readonly field: Field;
  /** Its place in GET /api/bms/config: an object and a member of it. */
  readonly object: ConfigurationObject;
  readonly member: string;
  /** For people. */
  readonly title: string;
  readonly hint: string;
}

const VOLTS = Object.freeze(
  { kind: "number", min: 0, max: 5000, decimals: 3, unit: "V", object: "protections" } as const,
  true,
);
const DEGREES = Object.freeze(
  { kind: "number", min: -500, max: 1200, decimals: 1, unit: "°C", object: "temperature" } as const,
  true,
);

/**
 * The 21 settings with their ranges (bms-monitor-api: POST /api/bms/settings). Rows of one object stand together: the
 * configuration is written in this order.
 */
export const SETTINGS_TABLE: readonly SettingRow[] = Object.freeze(
  [
    {
      name: "cell_count",
      alias: "cellcount",
      kind: "integer",
      min: 1,
      max: 24,
      decimals: 0,
      unit: "cells",
      write: "cell_count",
      field: FIELDS.cellCount,
      object: "battery",
      member: "cellCount",
      title: "Cell count",
      hint: "Cells in series.",
    },
    {
      name: "capacity_ah",
      alias: "capacity",
      kind: "number",
      min: 100,
      max: 1_000_000,
      decimals: 3,
      unit: "Ah",
      write: "capacity_ah",
      field: FIELDS.capacity,
      object: "battery",
      member: "capacityAh",
      title: "Nominal capacity",
      hint: "Design capacity of the pack; the state of charge is counted against it.",
    },
    {
      name: "bluetooth_name",
      alias: "blename",
      kind: "text",
      min: 1,
      max: 12,
      decimals: 0,
      unit: "characters",
      write: "bluetooth_name",
      field: FIELDS.bluetoothName,
      object: "battery",
      member: "bluetoothName",
      title: "Bluetooth name",
      hint: "The name under which the BMS shows itself; older packs may refuse a change.",
    },
    {
      name: "balance_enabled",
      alias: "balanceenabled",
      kind: "boolean",
      min: 0,
      max: 1,
      decimals: 0,
      unit: "",
      write: "balance_enabled",
      field: FIELDS.balanceEnabled,
      object: "balance",
      member: "enabled",
      title: "Balancing",
      hint: "Lets the BMS balance the cells.",
    },
    {
      name: "balance_trigger_voltage",
      alias: "balancetrigger",
      kind: "number",
      min: 1,
      max: 500,
      decimals: 3,
      unit: "V",
      write: "balance_trigger_voltage",
      field: FIELDS.balanceTriggerVoltage,
      object: "balance",
      member: "triggerVoltage",
      title: "Balance trigger",
      hint: "Difference between the highest and the lowest cell that starts balancing.",
    },
    {
      name: "balance_start_voltage",
      alias: "startbalance",
      kind: "number",
      min: 1000,
      max: 5000,
      decimals: 3,
      unit: "V",
      write: "balance_start_voltage",
      field: FIELDS.balanceStartVoltage,
      object: "balance",
      member: "startVoltage",
      title: "Balance start",
      hint: "Lowest cell voltage at which balancing may run.",
    },
    {
      name: "max_balance_current",
      alias: "maxbalancecurrent",
      kind: "number",
      min: 0,
      max: 10_000,
      decimals: 3,
      unit: "A",
      write: "max_balance_current",
      field: FIELDS.maxBalanceCurrent,
      object: "balance",
      member: "maxCurrent",
      title: "Maximum balance current",
      hint: "The BMS refuses more than its model can do.",
    },
    {
      ...VOLTS,
      name: "cell_uvp_voltage",
      alias: "celluvp",
      write: "cell_uvp_voltage",
      field: FIELDS.cellUvpVoltage,
      member: "cellUvpVoltage",
      title: "Cell under-voltage protection (UVP)",
      hint: "Discharging stops when a cell falls to this voltage.",
    },
    {
      ...VOLTS,
      name: "cell_uvpr_voltage",
      alias: "celluvpr",
      write: "cell_uvpr_voltage",
      field: FIELDS.cellUvprVoltage,
      member: "cellUvprVoltage",
      title: "Cell under-voltage recovery (UVPR)",
      hint: "Discharging is allowed again from this voltage.",
    },
    {
      ...VOLTS,
      name: "cell_ovp_voltage",
      alias: "cellovp",
      write: "cell_ovp_voltage",
      field: FIELDS.cellOvpVoltage,
      member: "cellOvpVoltage",
      title: "Cell over-voltage protection (OVP)",
      hint: "Charging stops when a cell rises to this voltage.",
    },
    {
      ...VOLTS,
      name: "cell_ovpr_voltage",
      alias: "cellovpr",
      write: "cell_ovpr_voltage",
      field: FIELDS.cellOvprVoltage,
      member: "cellOvprVoltage",
      title: "Cell over-voltage recovery (OVPR)",
      hint: "Charging is allowed again from this voltage.",
    },
    {
      ...VOLTS,
      name: "cell_rcv_voltage",
      alias: "cellrcv",
      write: "cell_rcv_voltage",
      field: FIELDS.cellRcvVoltage,
      member: "cellRcvVoltage",
      title: "Recommended cell charge voltage (RCV)",
      hint: "Cell voltage that the BMS asks the charger for.",
    },
    {
      ...VOLTS,
      name: "power_off_voltage",
      alias: "poweroff",
      write: "power_off_voltage",
      field: FIELDS.powerOffVoltage,
      member: "powerOffVoltage",
      title: "Power-off voltage",
      hint: "The BMS switches itself off when a cell falls to this voltage.",
    },
    {
      ...DEGREES,
      name: "charge_otp",
      alias: "chargeotp",
      write: "charge_otp",
      field: FIELDS.chargeOtp,
      member: "chargeOtp",
      title: "Charge over-temperature protection (OTP)",
      hint: "Charging stops above this temperature.",
    },
    {
      ...DEGREES,
      name: "charge_otpr",
      alias: "chargeotpr",
      write: "charge_otpr",
      field: FIELDS.chargeOtpr,
      member: "chargeOtpr",
      title: "Charge over-temperature recovery (OTPR)",
      hint: "Charging is allowed again below this temperature.",
    },
    {
      ...DEGREES,
      name: "charge_utp",
      alias: "chargeutp",
      write: "charge_utp",
      field: FIELDS.chargeUtp,
      member: "chargeUtp",
      title: "Charge under-temperature protection (UTP)",
      hint: "Charging stops below this temperature.",
    },
    {
      ...DEGREES,
      name: "charge_utpr",
      alias: "chargeutpr",
      write: "charge_utpr",
      field: FIELDS.chargeUtpr,
      member: "chargeUtpr",
      title: "Charge under-temperature recovery (UTPR)",
      hint: "Charging is allowed again above this temperature.",
    },
    {
      ...DEGREES,
      name: "discharge_otp",
      alias: "dischargeotp",
      write: "discharge_otp",
      field: FIELDS.dischargeOtp,
      member: "dischargeOtp",
      title: "Discharge over-temperature protection (OTP)",
      hint: "Discharging stops above this temperature.",
    },
    {
      ...DEGREES,
      name: "discharge_otpr",
      alias: "dischargeotpr",
      write: "discharge_otpr",
      field: FIELDS.dischargeOtpr,
      member: "dischargeOtpr",
      title: "Discharge over-temperature recovery (OTPR)",
      hint: "Discharging is allowed again below this temperature.",
    },
    {
      ...DEGREES,
      name: "mos_otp",
      alias: "mosotp",
      write: "mos_otp",
      field: FIELDS.mosOtp,
      member: "mosOtp",
      title: "MOSFET over-temperature protection (OTP)",
      hint: "The MOSFETs switch off above this temperature.",
    },
    {
      ...DEGREES,
      name: "mos_otpr",
      alias: "mosotpr",
      write: "mos_otpr",
      field: FIELDS.mosOtpr,
      member: "mosOtpr",
      title: "MOSFET over-temperature recovery (OTPR)",
      hint: "The MOSFETs switch on again below this temperature.",
    },
  ],
  true,
);

/** The row of a canonical name or alias, case and surrounding blanks ignored. */
export function findSetting(name: string): SettingRow | undefined {
  const wanted = name.trim().toLowerCase();
  for (const row of SETTINGS_TABLE) if (row.name === wanted || row.alias === wanted) return row;
  return undefined;
}
