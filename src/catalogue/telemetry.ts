import * as FIELDS from "jk-bms/field-table";
import { blockOf, type Field } from "jk-bms/fields";
import * as computed from "./computed";
import {
  AMPERE_HOURS,
  AMPERES,
  CELL_VOLTS,
  CHARGE,
  CODE,
  COUNT,
  DEGREES,
  FURTHER_DEGREES,
  PERCENT,
  SECONDS,
  SWITCH,
  TEXT,
  TOTAL,
  TOTAL_AMPERE_HOURS,
  TOTAL_SECONDS,
  VOLTS,
  WATTS,
  type Quantity,
} from "./quantities";
import { lastBlock, valueIn } from "./read";
import type { Pack } from "./pack";
import { grouped, type Compute, type Row, type Value } from "./row";

export interface TelemetryRow extends Row {
  readonly quantity: Quantity;
  /** Object number below bmsTelemetry in BMS-MONITOR-MIB, never reused for another row; 0: none. */
  readonly object: number;
  /** Metric name after "bms_": Prometheus base units, `_total` for a monotonic counter. Empty: no metric of its own. */
  readonly metric: string;
  /** Bit mask: SUMMARY, SHOWN. */
  readonly flags: number;
}

/** Flag: also in `data.bms` of GET /api. */
export const SUMMARY = 1;
/** Flag: enabled by default in Home Assistant. */
export const SHOWN = 2;
const BOTH = SUMMARY | SHOWN;

type Column = readonly [
  path: string,
  title: string,
  quantity: Quantity,
  source: Field | Compute,
  object: number,
  metric: string,
  flags: number,
];

/**
 * Of a firmware from `since` on; of an older one, and of a pack that does not report its firmware, it is unknown. Called by a row's own function:
 * one made for the row would keep its parameters in RAM, since they are no constants.
 */
function since(firmware: number, pack: Pack, source: Field | Compute): Value | undefined {
  if (!computed.isSince(pack, firmware)) return undefined;
  return typeof source === "function" ? source(pack) : valueIn(lastBlock(pack, blockOf(source)), source, "number");
}

function rows(columns: readonly Column[]): readonly TelemetryRow[] {
  return Object.freeze(
    grouped(
      columns.map(([path, title, quantity, source, object, metric, flags]): TelemetryRow => ({
        path,
        title,
        quantity,
        source,
        object,
        metric,
        flags,
      })),
    ),
    true,
  );
}

/**
 * Every status field except the array of cells (docs/openapi.yaml; docs/api.md, "Documents"), in the order of
 * the documents.
 */
// prettier-ignore
export const TELEMETRY_TABLE = rows([
  ["online", "BMS online", SWITCH, computed.isOnline, 1, "online", BOTH],
  ["name", "Bluetooth name", TEXT, FIELDS.bluetoothName, 2, "", BOTH],
  ["model", "Model", TEXT, FIELDS.model, 3, "", BOTH],
  ["batteryType", "Chemistry", TEXT, computed.batteryType, 4, "", BOTH],
  ["cellCount", "Cells", COUNT, computed.cellCount, 5, "cells", SUMMARY],
  ["soc", "State of charge", CHARGE, computed.charge, 6, "state_of_charge_ratio", BOTH],
  ["capacityAh", "Capacity", AMPERE_HOURS, computed.capacity, 7, "capacity_coulombs", BOTH],
  ["remainingCapacityAh", "Remaining capacity", AMPERE_HOURS, FIELDS.remainingCapacity, 8, "remaining_capacity_coulombs", BOTH],
  ["cycles", "Cycles", TOTAL, FIELDS.cycles, 9, "cycles_total", SHOWN],
  ["cycleCapacityAh", "Capacity cycled", TOTAL_AMPERE_HOURS, FIELDS.cycleCapacity, 10, "cycle_capacity_coulombs_total", SHOWN],
  ["stateOfHealth", "State of health", PERCENT, computed.health, 11, "state_of_health_ratio", SHOWN],
  ["runtimeSeconds", "Runtime", TOTAL_SECONDS, FIELDS.runtime, 12, "runtime_seconds_total", 0],
  ["averageCellVoltage", "Average cell voltage", CELL_VOLTS, FIELDS.averageCellVoltage, 13, "cell_voltage_average_volts", SHOWN],
  ["detailLogsCount", "Log entries", COUNT, FIELDS.detailLogsCount, 14, "log_entries", 0],
  ["timeEnterSleepSeconds", "Time to sleep", SECONDS, FIELDS.timeEnterSleep, 15, "time_to_sleep_seconds", 0],
  ["emergencyTimeSeconds", "Emergency time left", SECONDS, FIELDS.emergencyTime, 16, "emergency_time_left_seconds", 0],
  ["alarmCode", "Alarm bits", CODE, computed.alarmCode, 17, "", SUMMARY],

  ["info.maxCells", "Maximum cells", CODE, computed.maxCells, 18, "", 0],
  ["info.hardwareVersion", "Hardware version", TEXT, FIELDS.hardwareVersion, 19, "", 0],
  ["info.softwareVersion", "Firmware version", TEXT, FIELDS.softwareVersion, 20, "", 0],
  ["info.serialNumber", "Serial number", TEXT, FIELDS.serialNumber, 21, "", 0],
  ["info.manufactureDate", "Date of manufacture", TEXT, FIELDS.manufactureDate, 22, "", 0],
  ["info.totalRuntimeSeconds", "Total runtime", TOTAL_SECONDS, FIELDS.totalRuntime, 23, "total_runtime_seconds_total", 0],
  ["info.powerOnTimes", "Power-ons", TOTAL, FIELDS.powerOnTimes, 24, "power_ons_total", 0],
  ["info.uart1Protocol", "Protocol of UART1", CODE, computed.uart1Protocol, 40, "uart1_protocol", 0],
  ["info.canProtocol", "Protocol of CAN", CODE, computed.canProtocol, 41, "can_protocol", 0],
  ["info.uart2Protocol", "Protocol of UART2", CODE, computed.uart2Protocol, 42, "uart2_protocol", 0],

  ["pack.voltage", "Voltage", VOLTS, FIELDS.packVoltage, 25, "voltage_volts", BOTH],
  ["pack.current", "Current", AMPERES, FIELDS.packCurrent, 26, "current_amperes", BOTH],
  ["pack.power", "Power", WATTS, computed.power, 27, "power_watts", BOTH],
  ["pack.heatingCurrent", "Heating current", AMPERES, (pack) => since(computed.FIRMWARE_14, pack, FIELDS.heatingCurrent), 36, "heating_current_amperes", 0],
  ["pack.heating", "Heating", SWITCH, FIELDS.heating, 43, "heating", 0],
  ["pack.chargeMosfet", "Charge MOSFET output", SWITCH, FIELDS.chargeMos, 44, "charge_mosfet_on", SHOWN],
  ["pack.dischargeMosfet", "Discharge MOSFET output", SWITCH, FIELDS.dischargeMos, 45, "discharge_mosfet_on", SHOWN],
  ["pack.precharging", "Pre-charging", SWITCH, FIELDS.precharge, 46, "precharging", 0],
  ["pack.balancing", "Balancing now", SWITCH, FIELDS.balanceState, 47, "balancing", SHOWN],
  ["pack.balanceCurrent", "Balance current", AMPERES, FIELDS.balanceCurrent, 48, "balance_current_amperes", SHOWN],
  ["pack.chargerPlugged", "Charger plugged in", SWITCH, FIELDS.chargerPlugged, 49, "charger_plugged", 0],
  ["pack.chargeStage", "Charge stage", TEXT, (pack) => since(computed.FIRMWARE_15_35, pack, computed.chargeStage), 50, "", SHOWN],
  ["pack.chargeStageSeconds", "Time in the charge stage", SECONDS, (pack) => since(computed.FIRMWARE_15_35, pack, computed.chargeStageTime), 51, "charge_stage_seconds", 0],
  ["pack.dryContact1", "Dry contact 1", SWITCH, (pack) => since(computed.FIRMWARE_15_36, pack, computed.dryContact1), 52, "dry_contact1_closed", 0],
  ["pack.dryContact2", "Dry contact 2", SWITCH, (pack) => since(computed.FIRMWARE_15_36, pack, computed.dryContact2), 53, "dry_contact2_closed", 0],
  ["pack.maxChargeCurrent", "Charge current limit", AMPERES, FIELDS.maxChargeCurrent, 54, "charge_current_limit_amperes", 0],
  ["pack.maxDischargeCurrent", "Discharge current limit", AMPERES, FIELDS.maxDischargeCurrent, 55, "discharge_current_limit_amperes", 0],

  ["cellsSummary.minVoltage", "Lowest cell voltage", CELL_VOLTS, computed.minVoltage, 28, "cell_voltage_min_volts", SHOWN],
  ["cellsSummary.minCell", "Lowest cell", CODE, computed.minCell, 29, "cell_min", 0],
  ["cellsSummary.maxVoltage", "Highest cell voltage", CELL_VOLTS, computed.maxVoltage, 30, "cell_voltage_max_volts", SHOWN],
  ["cellsSummary.maxCell", "Highest cell", CODE, computed.maxCell, 31, "cell_max", 0],
  ["cellsSummary.delta", "Cell voltage difference", CELL_VOLTS, computed.cellDelta, 32, "cell_voltage_delta_volts", SHOWN],

  ["temperatures.mosfet", "MOSFET temperature", DEGREES, computed.mosfetTemperature, 33, "mosfet_temperature_celsius", SHOWN],
  ["temperatures.battery1", "Battery temperature 1", DEGREES, computed.battery1Temperature, 34, "battery1_temperature_celsius", SHOWN],
  ["temperatures.battery2", "Battery temperature 2", DEGREES, computed.battery2Temperature, 35, "battery2_temperature_celsius", SHOWN],
  ["temperatures.battery3", "Battery temperature 3", FURTHER_DEGREES, computed.battery3Temperature, 37, "battery3_temperature_celsius", 0],
  ["temperatures.battery4", "Battery temperature 4", FURTHER_DEGREES, (pack) => since(computed.FIRMWARE_14, pack, computed.battery4Temperature), 38, "battery4_temperature_celsius", 0],
  ["temperatures.battery5", "Battery temperature 5", FURTHER_DEGREES, (pack) => since(computed.FIRMWARE_14, pack, computed.battery5Temperature), 39, "battery5_temperature_celsius", 0],
]);

/** What only the page and the metrics show. */
// prettier-ignore
export const OUTPUT_TABLE = rows([
  ["wireAlarms", "Bit n: resistance of wire n + 1 too high", CODE, FIELDS.wireResistanceAlarms, 0, "", 0],
  ["probes", "Bit 0: MOSFET probe there, bits 1 to 5: battery probe 1 to 5", CODE, FIELDS.temperatureSensors, 0, "", 0],
]);

/** Finds a row by path, such as `soc` or `pack.voltage`. Throws a RangeError for an unknown path. */
export function telemetryRow(path: string): TelemetryRow {
  for (const row of TELEMETRY_TABLE) if (row.path === path) return row;
  throw new RangeError(`no telemetry field ${path}`);
}
