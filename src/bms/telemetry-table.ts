import { FIELDS, readRaw, readText, type Field } from "jk-bms/fields";
import { DEVICE_INFO, SETTINGS, type BlockImage } from "jk-bms/types";
import * as computed from "./computed";
import { rescale } from "./decimal";
import type { Monitor } from "./types";

export type TelemetryKind = "number" | "integer" | "boolean" | "text";
export type TelemetryGroup = "" | "info" | "pack" | "cellsSummary" | "temperatures";

interface Row {
  /** Its place in GET /api/bms/status: an object of `data` (empty: `data` itself) and a member of it. */
  readonly group: TelemetryGroup;
  readonly member: string;
  readonly kind: TelemetryKind;
  /** Published decimals of a number. */
  readonly decimals: number;
  readonly unit: string;
  /** Also in `data.bms` of GET /api. */
  readonly summary: boolean;
  /** For people. */
  readonly title: string;
  /** Home Assistant's device class of a sensor; empty: none. */
  readonly deviceClass: DeviceClass;
  /** Home Assistant's state class: a value of the moment, a count that only rises, or neither. */
  readonly stateClass: "measurement" | "total_increasing" | "";
  /** Home Assistant shows it without being asked. */
  readonly shown: boolean;
  /** Its object below the telemetry group of BMS-MONITOR-MIB: never to be given to another row. */
  readonly object: number;
  /** Its name in the metrics, after "bms_": Prometheus's base units, `_total` for a count that only rises. Empty: not a metric of its own. */
  readonly metric: string;
}

export type DeviceClass = "" | "battery" | "voltage" | "current" | "power" | "temperature" | "duration";

/** Works a value out; `extremes` may be given by who has found it for several rows (computed.ts). */
export type Compute = (monitor: Monitor, extremes?: number) => number | string | boolean;

/** A row comes straight from a field of a block, or is worked out; then `decimals` of what `compute` gives are told. */
export type TelemetryRow = Row &
  (
    | { readonly field: Field; readonly compute?: undefined }
    | {
        readonly field?: undefined;
        readonly compute: Compute;
        readonly computedDecimals: number;
      }
  );

const PLAIN = Object.freeze(
  { group: "", decimals: 0, unit: "", summary: false, deviceClass: "", shown: true, metric: "" } as const,
  true,
);
const INTEGER = Object.freeze({ ...PLAIN, kind: "integer", stateClass: "measurement" } as const, true);
const TEXT = Object.freeze({ ...PLAIN, kind: "text", stateClass: "" } as const, true);
const SECONDS = Object.freeze({ ...INTEGER, unit: "s", deviceClass: "duration", shown: false } as const, true);
const VOLTS = Object.freeze(
  {
    ...PLAIN,
    kind: "number",
    decimals: 3,
    unit: "V",
    computedDecimals: 3,
    deviceClass: "voltage",
    stateClass: "measurement",
  } as const,
  true,
);
const AMPERE_HOURS = Object.freeze({ ...VOLTS, unit: "Ah", deviceClass: "" } as const, true);
const DEGREES = Object.freeze(
  {
    ...VOLTS,
    group: "temperatures",
    decimals: 1,
    unit: "°C",
    computedDecimals: 1,
    deviceClass: "temperature",
  } as const,
  true,
);

const isOnline = ({ online }: Monitor): boolean => online;

/**
 * Every field of the status but the array of cells (bms-monitor-api: Full status, Summary; decisions: Values, The BMS
 * behind the API). Rows of one group stand together: the documents are written in this order.
 */
export const TELEMETRY_TABLE: readonly TelemetryRow[] = Object.freeze(
  [
    {
      ...INTEGER,
      kind: "boolean",
      member: "online",
      title: "BMS online",
      object: 1,
      metric: "online",
      summary: true,
      compute: isOnline,
      computedDecimals: 0,
    },
    { ...TEXT, member: "name", title: "Bluetooth name", object: 2, summary: true, field: FIELDS.bluetoothName },
    { ...TEXT, member: "model", title: "Model", object: 3, summary: true, field: FIELDS.model },
    {
      ...TEXT,
      member: "batteryType",
      title: "Chemistry",
      object: 4,
      summary: true,
      compute: computed.batteryType,
      computedDecimals: 0,
    },
    {
      ...INTEGER,
      member: "cellCount",
      title: "Cells",
      object: 5,
      metric: "cells",
      shown: false,
      summary: true,
      compute: computed.cellCount,
      computedDecimals: 0,
    },
    {
      ...INTEGER,
      member: "soc",
      title: "State of charge",
      object: 6,
      metric: "state_of_charge_ratio",
      deviceClass: "battery",
      kind: "number",
      unit: "%",
      summary: true,
      field: FIELDS.soc,
    },
    {
      ...AMPERE_HOURS,
      member: "capacityAh",
      title: "Capacity",
      object: 7,
      metric: "capacity_coulombs",
      summary: true,
      compute: computed.capacity,
    },
    {
      ...AMPERE_HOURS,
      member: "remainingCapacityAh",
      title: "Remaining capacity",
      object: 8,
      metric: "remaining_capacity_coulombs",
      summary: true,
      field: FIELDS.remainingCapacity,
    },
    {
      ...INTEGER,
      member: "cycles",
      title: "Cycles",
      object: 9,
      metric: "cycles_total",
      stateClass: "total_increasing",
      field: FIELDS.cycles,
    },
    {
      ...AMPERE_HOURS,
      member: "cycleCapacityAh",
      title: "Capacity cycled",
      object: 10,
      metric: "cycle_capacity_coulombs_total",
      stateClass: "total_increasing",
      field: FIELDS.cycleCapacity,
    },
    {
      ...INTEGER,
      member: "stateOfHealth",
      title: "State of health",
      object: 11,
      metric: "state_of_health_ratio",
      kind: "number",
      unit: "%",
      field: FIELDS.stateOfHealth,
    },
    {
      ...SECONDS,
      member: "runtimeSeconds",
      title: "Runtime",
      object: 12,
      metric: "runtime_seconds_total",
      stateClass: "total_increasing",
      field: FIELDS.runtime,
    },
    {
      ...VOLTS,
      member: "averageCellVoltage",
      title: "Average cell voltage",
      object: 13,
      metric: "cell_voltage_average_volts",
      field: FIELDS.averageCellVoltage,
    },
    {
      ...INTEGER,
      member: "detailLogsCount",
      title: "Log entries",
      object: 14,
      metric: "log_entries",
      shown: false,
      field: FIELDS.detailLogsCount,
    },
    {
      ...SECONDS,
      member: "timeEnterSleepSeconds",
      title: "Time to sleep",
      object: 15,
      metric: "time_to_sleep_seconds",
      field: FIELDS.timeEnterSleep,
    },
    {
      ...SECONDS,
      member: "emergencyTimeSeconds",
      title: "Emergency time left",
      object: 16,
      metric: "emergency_time_left_seconds",
      field: FIELDS.emergencyTime,
    },
    {
      ...INTEGER,
      member: "alarmCode",
      title: "Alarm bits",
      object: 17,
      stateClass: "",
      shown: false,
      summary: true,
      field: FIELDS.alarmCode,
    },

    {
      ...INTEGER,
      group: "info",
      member: "maxCells",
      title: "Most cells",
      object: 18,
      stateClass: "",
      shown: false,
      compute: computed.maxCells,
      computedDecimals: 0,
    },
    {
      ...TEXT,
      group: "info",
      member: "hardwareVersion",
      title: "Hardware version",
      object: 19,
      shown: false,
      field: FIELDS.hardwareVersion,
    },
    {
      ...TEXT,
      group: "info",
      member: "softwareVersion",
      title: "Firmware version",
      object: 20,
      shown: false,
      field: FIELDS.softwareVersion,
    },
    {
      ...TEXT,
      group: "info",
      member: "serialNumber",
      title: "Serial number",
      object: 21,
      shown: false,
      field: FIELDS.serialNumber,
    },
    {
      ...TEXT,
      group: "info",
      member: "manufactureDate",
      title: "Date of manufacture",
      object: 22,
      shown: false,
      field: FIELDS.manufactureDate,
    },
    {
      ...SECONDS,
      group: "info",
      member: "totalRuntimeSeconds",
      title: "Total runtime",
      object: 23,
      metric: "total_runtime_seconds_total",
      stateClass: "total_increasing",
      field: FIELDS.totalRuntime,
    },
    {
      ...INTEGER,
      group: "info",
      member: "powerOnTimes",
      title: "Power-ons",
      object: 24,
      metric: "power_ons_total",
      stateClass: "total_increasing",
      shown: false,
      field: FIELDS.powerOnTimes,
    },

    {
      ...VOLTS,
      group: "pack",
      member: "voltage",
      title: "Voltage",
      object: 25,
      metric: "voltage_volts",
      summary: true,
      field: FIELDS.packVoltage,
    },
    {
      ...VOLTS,
      group: "pack",
      member: "current",
      title: "Current",
      object: 26,
      metric: "current_amperes",
      deviceClass: "current",
      unit: "A",
      summary: true,
      field: FIELDS.packCurrent,
    },
    {
      ...VOLTS,
      group: "pack",
      member: "power",
      title: "Power",
      object: 27,
      metric: "power_watts",
      deviceClass: "power",
      decimals: 2,
      unit: "W",
      summary: true,
      compute: computed.packPower,
    },

    {
      ...VOLTS,
      group: "cellsSummary",
      member: "minVoltage",
      title: "Lowest cell voltage",
      object: 28,
      metric: "cell_voltage_min_volts",
      compute: computed.minVoltage,
    },
    {
      ...INTEGER,
      group: "cellsSummary",
      member: "minCell",
      title: "Lowest cell",
      object: 29,
      metric: "cell_min",
      stateClass: "",
      shown: false,
      compute: computed.minCell,
      computedDecimals: 0,
    },
    {
      ...VOLTS,
      group: "cellsSummary",
      member: "maxVoltage",
      title: "Highest cell voltage",
      object: 30,
      metric: "cell_voltage_max_volts",
      compute: computed.maxVoltage,
    },
    {
      ...INTEGER,
      group: "cellsSummary",
      member: "maxCell",
      title: "Highest cell",
      object: 31,
      metric: "cell_max",
      stateClass: "",
      shown: false,
      compute: computed.maxCell,
      computedDecimals: 0,
    },
    {
      ...VOLTS,
      group: "cellsSummary",
      member: "delta",
      title: "Cell voltage difference",
      object: 32,
      metric: "cell_voltage_delta_volts",
      compute: computed.cellDelta,
    },

    {
      ...DEGREES,
      member: "mosfet",
      title: "MOSFET temperature",
      object: 33,
      metric: "mosfet_temperature_celsius",
      compute: computed.mosfetTemperature,
    },
    {
      ...DEGREES,
      member: "battery1",
      title: "Battery temperature 1",
      object: 34,
      metric: "battery1_temperature_celsius",
      compute: computed.battery1Temperature,
    },
    {
      ...DEGREES,
      member: "battery2",
      title: "Battery temperature 2",
      object: 35,
      metric: "battery2_temperature_celsius",
      compute: computed.battery2Temperature,
    },
  ],
  true,
);

/** The block of a field as last read. */
export function imageOf(monitor: Monitor, field: Field): BlockImage {
  if (field.block === SETTINGS) return monitor.setup;
  return field.block === DEVICE_INFO ? monitor.deviceInfo : monitor.telemetry;
}

/** A numeric field in units of 10 ** -field.decimals; 0 before its block has been read. */
export function fieldNumber(monitor: Monitor, field: Field): number {
  const image = imageOf(monitor, field);
  return image.valid ? readRaw(image, field) : 0;
}

/** A text field; empty before its block has been read. */
export function fieldText(monitor: Monitor, field: Field): string {
  const image = imageOf(monitor, field);
  return image.valid ? readText(image, field) : "";
}

/** A row's present value: numbers in units of 10 ** -row.decimals. */
export function telemetryValue(monitor: Monitor, row: TelemetryRow): number | string | boolean {
  if (row.field) {
    if (row.kind === "text") return fieldText(monitor, row.field);
    return rescale(fieldNumber(monitor, row.field), row.field.decimals, row.decimals);
  }
  const value = row.compute(monitor);
  return typeof value === "number" ? rescale(value, row.computedDecimals, row.decimals) : value;
}

/** The row of a path such as `soc` or `pack.voltage`. Throws a RangeError for a path that no row has. */
export function telemetryRow(path: string): TelemetryRow {
  for (const row of TELEMETRY_TABLE) if ((row.group ? `${row.group}.${row.member}` : row.member) === path) return row;
  throw new RangeError(`no telemetry field ${path}`);
}
