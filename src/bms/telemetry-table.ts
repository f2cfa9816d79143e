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
}

/** A row comes straight from a field of a block, or is worked out; then `decimals` of what `compute` gives are told. */
export type TelemetryRow = Row &
  (
    | { readonly field: Field; readonly compute?: undefined }
    | {
        readonly field?: undefined;
        readonly compute: (monitor: Monitor) => number | string | boolean;
        readonly computedDecimals: number;
      }
  );

const INTEGER = Object.freeze({ group: "", kind: "integer", decimals: 0, unit: "", summary: false } as const, true);
const TEXT = Object.freeze({ group: "", kind: "text", decimals: 0, unit: "", summary: false } as const, true);
const SECONDS = Object.freeze({ ...INTEGER, unit: "s" } as const, true);
const VOLTS = Object.freeze(
  { group: "", kind: "number", decimals: 3, unit: "V", summary: false, computedDecimals: 3 } as const,
  true,
);
const AMPERE_HOURS = Object.freeze({ ...VOLTS, unit: "Ah" } as const, true);
const DEGREES = Object.freeze(
  { ...VOLTS, group: "temperatures", decimals: 1, unit: "°C", computedDecimals: 1 } as const,
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
      summary: true,
      compute: isOnline,
      computedDecimals: 0,
    },
    { ...TEXT, member: "name", summary: true, field: FIELDS.bluetoothName },
    { ...TEXT, member: "model", summary: true, field: FIELDS.model },
    { ...TEXT, member: "batteryType", summary: true, compute: computed.batteryType, computedDecimals: 0 },
    { ...INTEGER, member: "cellCount", summary: true, compute: computed.cellCount, computedDecimals: 0 },
    { ...INTEGER, member: "soc", kind: "number", unit: "%", summary: true, field: FIELDS.soc },
    { ...AMPERE_HOURS, member: "capacityAh", summary: true, compute: computed.capacity },
    { ...AMPERE_HOURS, member: "remainingCapacityAh", summary: true, field: FIELDS.remainingCapacity },
    { ...INTEGER, member: "cycles", field: FIELDS.cycles },
    { ...AMPERE_HOURS, member: "cycleCapacityAh", field: FIELDS.cycleCapacity },
    { ...INTEGER, member: "stateOfHealth", kind: "number", unit: "%", field: FIELDS.stateOfHealth },
    { ...SECONDS, member: "runtimeSeconds", field: FIELDS.runtime },
    { ...VOLTS, member: "averageCellVoltage", field: FIELDS.averageCellVoltage },
    { ...INTEGER, member: "detailLogsCount", field: FIELDS.detailLogsCount },
    { ...SECONDS, member: "timeEnterSleepSeconds", field: FIELDS.timeEnterSleep },
    { ...SECONDS, member: "emergencyTimeSeconds", field: FIELDS.emergencyTime },
    { ...INTEGER, member: "alarmCode", summary: true, field: FIELDS.alarmCode },

    { ...INTEGER, group: "info", member: "maxCells", compute: computed.maxCells, computedDecimals: 0 },
    { ...TEXT, group: "info", member: "hardwareVersion", field: FIELDS.hardwareVersion },
    { ...TEXT, group: "info", member: "softwareVersion", field: FIELDS.softwareVersion },
    { ...TEXT, group: "info", member: "serialNumber", field: FIELDS.serialNumber },
    { ...TEXT, group: "info", member: "manufactureDate", field: FIELDS.manufactureDate },
    { ...SECONDS, group: "info", member: "totalRuntimeSeconds", field: FIELDS.totalRuntime },
    { ...INTEGER, group: "info", member: "powerOnTimes", field: FIELDS.powerOnTimes },

    { ...VOLTS, group: "pack", member: "voltage", summary: true, field: FIELDS.packVoltage },
    { ...VOLTS, group: "pack", member: "current", unit: "A", summary: true, field: FIELDS.packCurrent },
    {
      ...VOLTS,
      group: "pack",
      member: "power",
      decimals: 2,
      unit: "W",
      summary: true,
      compute: computed.packPower,
    },

    { ...VOLTS, group: "cellsSummary", member: "minVoltage", compute: computed.minVoltage },
    { ...INTEGER, group: "cellsSummary", member: "minCell", compute: computed.minCell, computedDecimals: 0 },
    { ...VOLTS, group: "cellsSummary", member: "maxVoltage", compute: computed.maxVoltage },
    { ...INTEGER, group: "cellsSummary", member: "maxCell", compute: computed.maxCell, computedDecimals: 0 },
    { ...VOLTS, group: "cellsSummary", member: "delta", compute: computed.cellDelta },

    { ...DEGREES, member: "mosfet", compute: computed.mosfetTemperature },
    { ...DEGREES, member: "battery1", compute: computed.battery1Temperature },
    { ...DEGREES, member: "battery2", compute: computed.battery2Temperature },
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
