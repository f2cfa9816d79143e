/** The tables of the REST contract (docs/openapi.yaml), written out anew and not taken from the firmware: what the walk holds the firmware to. */

export const COMMANDS = [
  "charge_mos",
  "discharge_mos",
  "balance",
  "emergency",
  "display_always_on",
  "temperature_sensors_disabled",
] as const;

export interface NumericParameter {
  readonly kind: "number" | "integer";
  readonly name: string;
  readonly alias: string;
  /** In units of the register's resolution, which is 10 ** -decimals of `unit`. */
  readonly min: number;
  readonly max: number;
  readonly decimals: number;
  readonly unit: string;
  /** Its place in GET /api/bms/config. */
  readonly object: string;
  readonly member: string;
  /** A value that every pack takes, in the same units. */
  readonly usual: number;
  /** What the simulated BMS calls its register. */
  readonly register: string;
}

type Row = [name: string, alias: string, member: string, usual: number, register: string];

const rows = (
  shared: Omit<NumericParameter, "name" | "alias" | "member" | "usual" | "register">,
  table: readonly Row[],
): NumericParameter[] =>
  table.map(([name, alias, member, usual, register]) => ({ ...shared, name, alias, member, usual, register }));

const VOLTS = { kind: "number", decimals: 3, unit: "V" } as const;

/** All settings but balance_enabled and bluetooth_name. */
export const NUMERIC_PARAMETERS: readonly NumericParameter[] = [
  ...rows({ kind: "integer", min: 1, max: 24, decimals: 0, unit: "cells", object: "battery" }, [
    ["cell_count", "cellcount", "cellCount", 16, "CellCount"],
  ]),
  ...rows({ kind: "number", min: 100, max: 1_000_000, decimals: 3, unit: "Ah", object: "battery" }, [
    ["capacity_ah", "capacity", "capacityAh", 280_000, "CapBatCell"],
  ]),
  ...rows({ ...VOLTS, min: 1, max: 500, object: "balance" }, [
    ["balance_trigger_voltage", "balancetrigger", "triggerVoltage", 10, "VolBalanTrig"],
  ]),
  ...rows({ ...VOLTS, min: 1000, max: 5000, object: "balance" }, [
    ["balance_start_voltage", "startbalance", "startVoltage", 3_420, "VolStartBalan"],
  ]),
  ...rows({ kind: "number", min: 0, max: 10_000, decimals: 3, unit: "A", object: "balance" }, [
    ["max_balance_current", "maxbalancecurrent", "maxCurrent", 1_500, "CurBalanMax"],
  ]),
  ...rows({ ...VOLTS, min: 0, max: 5000, object: "protections" }, [
    ["cell_uvp_voltage", "celluvp", "cellUvpVoltage", 2_600, "VolCellUV"],
    ["cell_uvpr_voltage", "celluvpr", "cellUvprVoltage", 2_900, "VolCellUVPR"],
    ["cell_ovp_voltage", "cellovp", "cellOvpVoltage", 3_645, "VolCellOV"],
    ["cell_ovpr_voltage", "cellovpr", "cellOvprVoltage", 3_445, "VolCellOVPR"],
    ["cell_rcv_voltage", "cellrcv", "cellRcvVoltage", 3_450, "VolCellRCV"],
    ["power_off_voltage", "poweroff", "powerOffVoltage", 2_500, "VolSysPwrOff"],
  ]),
  ...rows({ kind: "number", min: -500, max: 1200, decimals: 1, unit: "°C", object: "temperature" }, [
    ["charge_otp", "chargeotp", "chargeOtp", 555, "TMPBatCOT"],
    ["charge_otpr", "chargeotpr", "chargeOtpr", 505, "TMPBatCOTPR"],
    ["charge_utp", "chargeutp", "chargeUtp", -55, "TMPBatCUT"],
    ["charge_utpr", "chargeutpr", "chargeUtpr", 45, "TMPBatCUTPR"],
    ["discharge_otp", "dischargeotp", "dischargeOtp", 605, "TMPBatDcOT"],
    ["discharge_otpr", "dischargeotpr", "dischargeOtpr", 555, "TMPBatDcOTPR"],
    ["mos_otp", "mosotp", "mosOtp", 905, "TMPMosOT"],
    ["mos_otpr", "mosotpr", "mosOtpr", 805, "TMPMosOTPR"],
  ]),
];

export const BALANCE_ENABLED = {
  name: "balance_enabled",
  alias: "balanceenabled",
  object: "balance",
  member: "enabled",
} as const;

export const BLUETOOTH_NAME = {
  name: "bluetooth_name",
  alias: "blename",
  object: "battery",
  member: "bluetoothName",
  maxLength: 12,
} as const;

/** `units` of 10 ** -decimals as a decimal text: 3650, 3 is "3.650". */
export function decimalText(units: number, decimals: number): string {
  const digits = String(Math.abs(units)).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  return `${units < 0 ? "-" : ""}${whole}${decimals ? `.${digits.slice(-decimals)}` : ""}`;
}

export const decimalNumber = (units: number, decimals: number): number => Number(decimalText(units, decimals));

export const BMS_UNAVAILABLE = "BMS indisponivel.";
export const UNKNOWN_COMMAND = "Comando nao suportado";
export const UNKNOWN_PARAMETER = "Parametro nao suportado";
export const UNAUTHORIZED = "Unauthorized, invalid token.";
export const RELAY_UPDATED = "Relay updated successfully.";
