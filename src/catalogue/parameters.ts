import { lowerCase } from "ascii/case";
import type { Field } from "jk-bms/fields";
import { writableByName, type Writable, type WriteName } from "jk-bms/writes";
import type { Kind } from "./quantities";
import { grouped, type Row } from "./row";

/** Accepted values of a parameter: a quantity with limits. */
export interface Range {
  readonly kind: Kind;
  /**
   * Inclusive, in units of 10 ** -decimals of `unit`, the register's resolution; for a text, its length in characters.
   */
  readonly min: number;
  readonly max: number;
  readonly decimals: number;
  readonly unit: string;
}

const range = (kind: Kind, min: number, max: number, decimals: number, unit: string): Range =>
  Object.freeze({ kind, min, max, decimals, unit }, true);

const CELLS_RANGE = range("integer", 1, 24, 0, "cells");
const CAPACITY_RANGE = range("number", 100, 1_000_000, 3, "Ah");
const NAME_RANGE = range("text", 1, 12, 0, "characters");
const SWITCH_RANGE = range("boolean", 0, 1, 0, "");
const DIFFERENCE_RANGE = range("number", 1, 500, 3, "V");
const START_RANGE = range("number", 1000, 5000, 3, "V");
const CURRENT_RANGE = range("number", 0, 10_000, 3, "A");
const CELL_RANGE = range("number", 0, 5000, 3, "V");
const DEGREES_RANGE = range("number", -500, 1200, 1, "°C");

/** A parameter of the BMS: how it is named, validated, written and displayed. The page's texts explain what it does. */
export interface ParameterRow extends Row {
  /** The `setting` of POST /api/bms/settings. */
  readonly name: WriteName;
  /** Name used by older clients. */
  readonly alias: string;
  readonly quantity: Range;
  readonly source: Field;
  /** Its register. */
  readonly writable: Writable;
}

type Column = readonly [name: WriteName, alias: string, path: string, title: string, quantity: Range];

function rows(columns: readonly Column[]): readonly ParameterRow[] {
  return Object.freeze(
    grouped(
      columns.map(([name, alias, path, title, quantity]): ParameterRow => {
        const writable = writableByName(name);
        return { name, alias, path, title, quantity, source: writable.field, writable };
      }),
    ),
    true,
  );
}

/** The 21 parameters, the settings of the API (docs/openapi.yaml). The configuration is written in this order. */
// prettier-ignore
export const PARAMETERS_TABLE = rows([
  ["cell_count", "cellcount", "battery.cellCount", "Cell count", CELLS_RANGE],
  ["capacity_ah", "capacity", "battery.capacityAh", "Nominal capacity", CAPACITY_RANGE],
  ["bluetooth_name", "blename", "battery.bluetoothName", "Bluetooth name", NAME_RANGE],
  ["balance_enabled", "balanceenabled", "balance.enabled", "Balancing", SWITCH_RANGE],
  ["balance_trigger_voltage", "balancetrigger", "balance.triggerVoltage", "Balance trigger", DIFFERENCE_RANGE],
  ["balance_start_voltage", "startbalance", "balance.startVoltage", "Balance start", START_RANGE],
  ["max_balance_current", "maxbalancecurrent", "balance.maxCurrent", "Maximum balance current", CURRENT_RANGE],
  ["cell_uvp_voltage", "celluvp", "protections.cellUvpVoltage", "Cell under-voltage protection (UVP)", CELL_RANGE],
  ["cell_uvpr_voltage", "celluvpr", "protections.cellUvprVoltage", "Cell under-voltage recovery (UVPR)", CELL_RANGE],
  ["cell_ovp_voltage", "cellovp", "protections.cellOvpVoltage", "Cell over-voltage protection (OVP)", CELL_RANGE],
  ["cell_ovpr_voltage", "cellovpr", "protections.cellOvprVoltage", "Cell over-voltage recovery (OVPR)", CELL_RANGE],
  ["cell_rcv_voltage", "cellrcv", "protections.cellRcvVoltage", "Recommended cell charge voltage (RCV)", CELL_RANGE],
  ["power_off_voltage", "poweroff", "protections.powerOffVoltage", "Power-off voltage", CELL_RANGE],
  ["charge_otp", "chargeotp", "temperature.chargeOtp", "Charge over-temperature protection (OTP)", DEGREES_RANGE],
  ["charge_otpr", "chargeotpr", "temperature.chargeOtpr", "Charge over-temperature recovery (OTPR)", DEGREES_RANGE],
  ["charge_utp", "chargeutp", "temperature.chargeUtp", "Charge under-temperature protection (UTP)", DEGREES_RANGE],
  ["charge_utpr", "chargeutpr", "temperature.chargeUtpr", "Charge under-temperature recovery (UTPR)", DEGREES_RANGE],
  ["discharge_otp", "dischargeotp", "temperature.dischargeOtp", "Discharge over-temperature protection (OTP)", DEGREES_RANGE],
  ["discharge_otpr", "dischargeotpr", "temperature.dischargeOtpr", "Discharge over-temperature recovery (OTPR)", DEGREES_RANGE],
  ["mos_otp", "mosotp", "temperature.mosOtp", "MOSFET over-temperature protection (OTP)", DEGREES_RANGE],
  ["mos_otpr", "mosotpr", "temperature.mosOtpr", "MOSFET over-temperature recovery (OTPR)", DEGREES_RANGE],
]);

/** Finds a row by name or alias; case and surrounding whitespace are ignored. */
export function findParameter(name: string): ParameterRow | undefined {
  const wanted = lowerCase(name.trim());
  for (const row of PARAMETERS_TABLE) if (row.name === wanted || row.alias === wanted) return row;
  return undefined;
}
