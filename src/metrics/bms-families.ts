/** The BMS: its telemetry, its cells and alarms. Only what is known now: while the BMS is offline there are no samples of it. */
import { cellMask, cellResistance, cellVoltage, MAX_CELLS } from "jk-bms/cells";
import { FIELDS, readRaw, type Field } from "jk-bms/fields";
import { ALARMS_TABLE, alarmBits } from "../bms/alarms-table";
import { BATTERY1_PROBE, BATTERY2_PROBE, batteryType, cellCount, MOSFET_PROBE } from "../bms/computed";
import {
  fieldNumber,
  fieldText,
  imageOf,
  TELEMETRY_TABLE,
  telemetryValue,
  type TelemetryRow,
} from "../bms/telemetry-table";
import type { Monitor } from "../bms/types";
import { family, label, type Description, type Family, type Parts } from "./family";
import type { Line } from "./line";

const CELL = label("cell");
const ALARM = label("alarm");
const MODEL = label("model");
const NAME = label("name");
const CHEMISTRY = label("chemistry");
const HARDWARE_VERSION = label("hardware_version");
const SOFTWARE_VERSION = label("software_version");

const MILLI = 3;
/** An ampere-hour is 3,600 coulombs: in thousandths of the one and tenths of the other, 36. */
const COULOMBS = 36;
const COULOMB_DECIMALS = -2;
const PERCENT_DECIMALS = 2;

/** Bits of temperatureSensors. */
const PROBES: Readonly<Record<string, number>> = Object.freeze(
  { mosfet: MOSFET_PROBE, battery1: BATTERY1_PROBE, battery2: BATTERY2_PROBE },
  true,
);

/** Whether the BMS has told what the row is about. The API publishes 0 for what is not there; here it is left out. */
function isKnown(monitor: Monitor, row: TelemetryRow): boolean {
  if (!monitor.online || !monitor.telemetry.valid) return false;
  if (row.field) return imageOf(monitor, row.field).valid;
  if (row.group === "cellsSummary") return cellCount(monitor) > 0;
  if (row.group !== "temperatures") return true;
  return ((readRaw(monitor.telemetry, FIELDS.temperatureSensors) >> (PROBES[row.member] as number)) & 1) === 1;
}

function rowValue({ monitor }: Parts, _index: number, { row }: Family): number | undefined {
  if (!row) return undefined;
  if (row.kind !== "boolean" && !isKnown(monitor, row)) return undefined;
  const value = telemetryValue(monitor, row);
  if (typeof value === "number") return row.unit === "Ah" ? value * COULOMBS : value;
  return value === true ? 1 : 0;
}

function ofRow(row: TelemetryRow): Description {
  const { metric, title, stateClass, decimals, unit } = row;
  const shift = unit === "%" ? PERCENT_DECIMALS : unit === "Ah" ? COULOMB_DECIMALS : 0;
  return {
    name: `bms_${metric}`,
    help: title,
    type: stateClass === "total_increasing" ? "counter" : "gauge",
    decimals: decimals + shift,
    row,
    value: rowValue,
  };
}

/** A cell that is there. */
const hasCell = ({ online, telemetry }: Monitor, index: number): boolean =>
  online && telemetry.valid && ((cellMask(telemetry) >>> index) & 1) === 1;

const numbered = (line: Line, _parts: Parts, index: number): void => line.label(CELL, index + 1);

const isSet = (monitor: Monitor, field: Field): number | undefined => {
  if (!monitor.online) return undefined;
  return fieldNumber(monitor, field) ? 1 : 0;
};

function describeBms(line: Line, { monitor }: Parts): void {
  line.label(MODEL, fieldText(monitor, FIELDS.model));
  line.label(NAME, fieldText(monitor, FIELDS.bluetoothName));
  line.label(CHEMISTRY, batteryType(monitor));
  line.label(HARDWARE_VERSION, fieldText(monitor, FIELDS.hardwareVersion));
  line.label(SOFTWARE_VERSION, fieldText(monitor, FIELDS.softwareVersion));
}

export const BMS_FAMILIES: readonly Family[] = Object.freeze(
  [
    family({
      name: "bms_info",
      help: "The BMS by its names, always 1",
      type: "gauge",
      labels: describeBms,
      value: ({ monitor }) => (monitor.online && monitor.deviceInfo.valid ? 1 : undefined),
    }),
    ...TELEMETRY_TABLE.filter(({ metric }) => metric).map((row) => family(ofRow(row))),
    family({
      name: "bms_cell_voltage_volts",
      help: "Voltage of a cell",
      type: "gauge",
      decimals: MILLI,
      size: MAX_CELLS,
      labels: numbered,
      value: ({ monitor }, index) => (hasCell(monitor, index) ? cellVoltage(monitor.telemetry, index) : undefined),
    }),
    family({
      name: "bms_cell_wire_resistance_ohms",
      help: "Resistance of a cell's balance lead",
      type: "gauge",
      decimals: MILLI,
      size: MAX_CELLS,
      labels: numbered,
      value: ({ monitor }, index) => (hasCell(monitor, index) ? cellResistance(monitor.telemetry, index) : undefined),
    }),
    family({
      name: "bms_charge_mosfet_on",
      help: "Whether the pack can be charged: off also while a protection acts",
      type: "gauge",
      value: ({ monitor }) => isSet(monitor, FIELDS.chargeMos),
    }),
    family({
      name: "bms_discharge_mosfet_on",
      help: "Whether the pack can be discharged: off also while a protection acts",
      type: "gauge",
      value: ({ monitor }) => isSet(monitor, FIELDS.dischargeMos),
    }),
    family({
      name: "bms_balancing",
      help: "Whether cells are being balanced",
      type: "gauge",
      value: ({ monitor }) => isSet(monitor, FIELDS.balanceState),
    }),
    family({
      name: "bms_alarm",
      help: "Whether the BMS reports the alarm",
      type: "gauge",
      size: ALARMS_TABLE.length,
      labels: (line, _parts, index) => line.label(ALARM, (ALARMS_TABLE[index] as { name: string }).name),
      value({ monitor }, index) {
        if (!monitor.online) return undefined;
        return (alarmBits(monitor) >>> (ALARMS_TABLE[index] as { bit: number }).bit) & 1;
      },
    }),
  ],
  true,
);
