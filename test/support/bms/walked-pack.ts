/**
 * A pack with known values, and what each interface must report for them: written from the API's documents, the registers
 * (docs/jk-modbus.md), the MIB and docs/metrics.md, not from the firmware's catalogue.
 */
import type { SimulatedBms } from "../../../host-sim/bms/simulated-bms";

export type Source = "bms" | "telemetry" | "setup" | "device" | "probe" | "further" | "newer";

export interface Expected {
  /** In the API's status and in MQTT telemetry. */
  readonly path: string;
  /**
   * `bms`: always known. `probe`: unknown if its probe is absent or ignored. `further`: then its member is left out. `newer`: only of firmware
   * from 15.36 on.
   */
  readonly source: Source;
  readonly value: number | string | boolean;
  /** Under bmsTelemetry in the MIB, as the agent's integer or string. */
  readonly object: number;
  readonly snmp: number | string;
  readonly metric?: string;
  /** In the metric's unit. */
  readonly sample?: number;
  /** Where and how the page shows it. */
  readonly label?: string;
  readonly shown?: string;
}

type Row = readonly [
  path: string,
  source: Source,
  value: number | string | boolean,
  object: number,
  snmp: number | string,
  metric?: string,
  sample?: number,
  label?: string,
  shown?: string,
];

// prettier-ignore
const ROWS: readonly Row[] = [
  ["online", "bms", true, 1, 1, "bms_online", 1],
  ["name", "device", "Garage", 2, "Garage", , , "Name", "Garage"],
  ["model", "device", "JK_PB2A16S20P", 3, "JK_PB2A16S20P", , , "Model", "JK_PB2A16S20P"],
  ["batteryType", "telemetry", "LiFePO4", 4, "LiFePO4", , , "Chemistry", "LiFePO4"],
  ["cellCount", "telemetry", 16, 5, 16, "bms_cells", 16, "Cells in series", "16"],
  ["soc", "telemetry", 57, 6, 57, "bms_state_of_charge_ratio", 0.57],
  ["capacityAh", "telemetry", 280, 7, 280_000, "bms_capacity_coulombs", 1_008_000, "Remaining", "123.5 of 280.0 Ah"],
  ["remainingCapacityAh", "telemetry", 123.456, 8, 123_456, "bms_remaining_capacity_coulombs", 444_441.6, "Remaining", "123.5 of 280.0 Ah"],
  ["cycles", "telemetry", 42, 9, 42, "bms_cycles_total", 42, "Cycles", "42"],
  ["cycleCapacityAh", "telemetry", 54.321, 10, 54_321, "bms_cycle_capacity_coulombs_total", 195_555.6, "Charge throughput", "54.3 Ah"],
  ["stateOfHealth", "telemetry", 97, 11, 97, "bms_state_of_health_ratio", 0.97, "State of health", "97 %"],
  ["runtimeSeconds", "telemetry", 97_200, 12, 97_200, "bms_runtime_seconds_total", 97_200, "Runtime", "1 d 3 h"],
  ["averageCellVoltage", "telemetry", 3.312, 13, 3312, "bms_cell_voltage_average_volts", 3.312, "Average", "3.312 V"],
  ["detailLogsCount", "telemetry", 12, 14, 12, "bms_log_entries", 12, "Entries in the BMS's log", "12"],
  ["timeEnterSleepSeconds", "telemetry", 345, 15, 345, "bms_time_to_sleep_seconds", 345, "BMS sleeps after", "5 min"],
  ["emergencyTimeSeconds", "telemetry", 678, 16, 678, "bms_emergency_time_left_seconds", 678],
  ["alarmCode", "telemetry", 64, 17, 64, , , "Alarm code", "0x00000040"],
  ["info.maxCells", "device", 16, 18, 16, , , "Maximum cells", "16"],
  ["info.hardwareVersion", "device", "19A", 19, "19A", , , "Hardware", "19A"],
  ["info.softwareVersion", "device", "19.27", 20, "19.27", , , "Firmware", "19.27"],
  ["info.serialNumber", "device", "4060123456", 21, "4060123456", , , "Serial number", "4060123456"],
  ["info.manufactureDate", "device", "240315", 22, "240315", , , "Manufactured", "15 Mar 2024"],
  ["info.totalRuntimeSeconds", "device", 7_776_000, 23, 7_776_000, "bms_total_runtime_seconds_total", 7_776_000],
  ["info.powerOnTimes", "device", 33, 24, 33, "bms_power_ons_total", 33, "Times switched on", "33"],
  ["info.uart1Protocol", "device", 1, 40, 1, "bms_uart1_protocol", 1],
  ["info.canProtocol", "device", 4, 41, 4, "bms_can_protocol", 4],
  ["info.uart2Protocol", "device", 15, 42, 15, "bms_uart2_protocol", 15],
  ["pack.voltage", "telemetry", 52.999, 25, 52_999, "bms_voltage_volts", 52.999, "Voltage", "53.00 V"],
  ["pack.current", "telemetry", -12.345, 26, -12_345, "bms_current_amperes", -12.345, "Current", "−12.3 A"],
  ["pack.power", "telemetry", -654.32, 27, -65_432, "bms_power_watts", -654.32],
  ["pack.heatingCurrent", "telemetry", 2.345, 36, 2345, "bms_heating_current_amperes", 2.345, "Heating", "2.35 A"],
  ["pack.heating", "telemetry", true, 43, 1, "bms_heating", 1, "Heating", "2.35 A"],
  ["pack.chargeMosfet", "telemetry", false, 44, 2, "bms_charge_mosfet_on", 0, "Charging allowed", "no"],
  ["pack.dischargeMosfet", "telemetry", true, 45, 1, "bms_discharge_mosfet_on", 1, "Discharging allowed", "yes"],
  ["pack.precharging", "telemetry", true, 46, 1, "bms_precharging", 1],
  ["pack.balancing", "telemetry", true, 47, 1, "bms_balancing", 1, "Balancing", "now, with 1.99 A"],
  ["pack.balanceCurrent", "telemetry", -1.99, 48, -1990, "bms_balance_current_amperes", -1.99, "Balancing", "now, with 1.99 A"],
  ["pack.chargerPlugged", "telemetry", true, 49, 1, "bms_charger_plugged", 1],
  ["pack.chargeStage", "newer", "absorption", 50, "absorption", , , "Charge stage", "absorption, 32 min"],
  ["pack.chargeStageSeconds", "newer", 1920, 51, 1920, "bms_charge_stage_seconds", 1920, "Charge stage", "absorption, 32 min"],
  ["pack.dryContact1", "newer", false, 52, 2, "bms_dry_contact1_closed", 0, "Dry contacts closed", "2"],
  ["pack.dryContact2", "newer", true, 53, 1, "bms_dry_contact2_closed", 1, "Dry contacts closed", "2"],
  ["pack.maxChargeCurrent", "setup", 101.5, 54, 101_500, "bms_charge_current_limit_amperes", 101.5],
  ["pack.maxDischargeCurrent", "setup", 199.9, 55, 199_900, "bms_discharge_current_limit_amperes", 199.9],
  ["cellsSummary.minVoltage", "telemetry", 3.29, 28, 3290, "bms_cell_voltage_min_volts", 3.29, "Lowest", "3.290 V (2)"],
  ["cellsSummary.minCell", "telemetry", 2, 29, 2, "bms_cell_min", 2, "Lowest", "3.290 V (2)"],
  ["cellsSummary.maxVoltage", "telemetry", 3.35, 30, 3350, "bms_cell_voltage_max_volts", 3.35, "Highest", "3.350 V (10)"],
  ["cellsSummary.maxCell", "telemetry", 10, 31, 10, "bms_cell_max", 10, "Highest", "3.350 V (10)"],
  ["cellsSummary.delta", "telemetry", 0.06, 32, 60, "bms_cell_voltage_delta_volts", 0.06, "Difference", "60 mV"],
  ["temperatures.mosfet", "probe", 21.5, 33, 215, "bms_mosfet_temperature_celsius", 21.5, "MOSFETs", "21.5 °C"],
  ["temperatures.battery1", "probe", -1.5, 34, -15, "bms_battery1_temperature_celsius", -1.5, "Sensor 1", "−1.5 °C"],
  ["temperatures.battery2", "probe", 31.8, 35, 318, "bms_battery2_temperature_celsius", 31.8, "Sensor 2", "31.8 °C"],
  ["temperatures.battery3", "further", 30.1, 37, 301, "bms_battery3_temperature_celsius", 30.1, "Sensor 3", "30.1 °C"],
  ["temperatures.battery4", "further", -2.5, 38, -25, "bms_battery4_temperature_celsius", -2.5, "Sensor 4", "−2.5 °C"],
  ["temperatures.battery5", "further", 29.9, 39, 299, "bms_battery5_temperature_celsius", 29.9, "Sensor 5", "29.9 °C"],
];

export const EXPECTED: readonly Expected[] = ROWS.map(
  ([path, source, value, object, snmp, metric, sample, label, shown]) =>
    ({ path, source, value, object, snmp, metric, sample, label, shown }) as Expected,
);

/** Bit n of 0x12A0 (docs/jk-modbus.md, "Alarms"). */
export const ALARMS = [
  "wire_resistance",
  "mosfet_overtemperature",
  "cell_count",
  "current_sensor",
  "fully_charged",
  "battery_overvoltage",
  "charge_overcurrent",
  "charge_short_circuit",
  "charge_overtemperature",
  "charge_undertemperature",
  "internal_communication",
  "cell_undervoltage",
  "battery_undervoltage",
  "discharge_overcurrent",
  "discharge_short_circuit",
  "discharge_overtemperature",
  "charge_mosfet",
  "discharge_mosfet",
  "gps_disconnected",
  "change_password",
  "discharge_on_failed",
  "battery_overtemperature",
  "temperature_sensor",
  "parallel_module",
  "short_circuit_release",
  "discharge_overcurrent_2",
  "discharge_overcurrent_3",
  "discharge_undertemperature",
  "gps_lock",
  "cell_overvoltage",
] as const;

/** Loads the registers for `EXPECTED` into the BMS, whose evolution must be off. */
export function fill({ registers }: SimulatedBms): void {
  for (let cell = 0; cell < 16; cell++) registers.write("CellVol", 3300 + cell, cell);
  registers.write("CellVol", 3290, 1);
  registers.write("CellVol", 3350, 9);
  const numbers: Readonly<Record<string, number>> = {
    ...{
      CellVolAve: 3312,
      SOC: 57,
      SOCCapRemain: 123_456,
      CapBatCell: 280_000,
      SOCCycleCount: 42,
      SOCCycleCap: 54_321,
    },
    ...{ SOCSOH: 97, RunTime: 97_200, DetailLogsCount: 12, TimeEnterSleep: 345, TimeEmergency: 678, Alarms: 64 },
    ...{ MaxCells: 16, ODDRunTime: 7_776_000, PWROnTimes: 33, BatVol: 52_999, BatCurrent: -12_345, BatWatt: 654_321 },
    ...{ TempMos: 215, TempBat1: -15, TempBat2: 318, TempSensors: 0x3f, CellType: 0, HeatCurrent: 2345 },
    ...{ Heating: 1, ChargeMos: 0, DischargeMos: 1, Precharge: 1, BalanSta: 2, BalanCurrent: -1990, ChargerPlugged: 1 },
    ...{ ChargeStatus: 1, ChargeStatusTime: 1920, SwitchStatus: 0x05, CurBatCOC: 101_500, CurBatDcOC: 199_900 },
    ...{ Uart1Protocol: 1, CanProtocol: 4, Uart2Protocol: 15 },
  };
  Object.assign(numbers, { TempBat3: 301, TempBat4: -25, TempBat5: 299 });
  for (const [name, value] of Object.entries(numbers)) registers.write(name, value);
  const texts: Readonly<Record<string, string>> = {
    ...{ ManufacturerDeviceID: "JK_PB2A16S20P", BluetoothName: "Garage", HardwareVersion: "19A" },
    ...{ SoftwareVersion: "19.27", SerialNumber: "4060123456", FirstOnDate: "240315" },
  };
  for (const [name, text] of Object.entries(texts)) registers.writeText(name, text);
}

/** The states that every value goes through. */
export const STATES = ["never read", "online", "stale", "probes absent", "probes ignored", "offline"] as const;
export type State = (typeof STATES)[number];

/** The rule for whether a value is known: until the BMS counts as offline, a stale reply is still valid. */
export function isKnown({ source }: Expected, state: State): boolean {
  if (source === "bms") return true;
  if (state === "never read" || state === "offline") return false;
  return (source !== "probe" && source !== "further") || !state.startsWith("probes");
}

/** Of a value that is not known: left out, or what the interface has for it. */
export const unknown = ({ source }: Expected, otherwise: unknown): unknown =>
  source === "further" ? undefined : otherwise;

/** The value under a path such as `pack.voltage`. */
export const at = (document: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document);
