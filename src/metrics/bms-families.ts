/** BMS telemetry, cells and alarms. Only current values: while the BMS is offline there are no samples. */
import { cellPresent, cellResistance, cellVoltage, MAX_CELLS } from "jk-bms/cells";
import { alarmBits, ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import type { Pack } from "../catalogue/pack";
import { read } from "../catalogue/read";
import { OUTPUT_TABLE, TELEMETRY_TABLE, telemetryRow, type TelemetryRow } from "../catalogue/telemetry";
import { isOne, label, type Description, type Family, type Parts } from "./family";
import type { Line } from "./line";

const CELL = label("cell");
const ALARM = label("alarm");

const MILLI = 3;
/** 1 Ah is 3,600 C: from thousandths of an ampere-hour to tenths of a coulomb the factor is 36. */
const COULOMBS = 36;
const COULOMB_DECIMALS = -2;
const PERCENT_DECIMALS = 2;

function rowValue({ monitor }: Parts, _index: number, { row }: Family): number | undefined {
  const value = row && read(row, monitor);
  if (typeof value === "number") return row?.quantity.unit === "Ah" ? value * COULOMBS : value;
  return typeof value === "boolean" ? isOne(value) : undefined;
}

function ofRow(row: TelemetryRow): Description {
  const { metric, title } = row;
  const { stateClass, decimals, unit } = row.quantity;
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

/** Cell `index` is present. */
const hasCell = ({ online, telemetry }: Pack, index: number): boolean =>
  online && telemetry.valid && cellPresent(telemetry, index);

const numbered = (line: Line, _parts: Parts, index: number): void => line.label(CELL, index + 1);

const DESCRIBING: readonly (readonly [label: Uint8Array, row: TelemetryRow])[] = Object.freeze(
  [
    [label("model"), telemetryRow("model")],
    [label("name"), telemetryRow("name")],
    [label("chemistry"), telemetryRow("batteryType")],
    [label("hardware_version"), telemetryRow("info.hardwareVersion")],
    [label("software_version"), telemetryRow("info.softwareVersion")],
  ] as const,
  true,
);

function describeBms(line: Line, { monitor }: Parts): void {
  for (const [name, row] of DESCRIBING) line.foreignLabel(name, String(read(row, monitor) ?? ""));
}

export const BMS_FAMILIES: readonly Description[] = Object.freeze<Description[]>(
  [
    {
      name: "bms_info",
      help: "The BMS by its names, always 1",
      type: "gauge",
      labels: describeBms,
      value: ({ monitor }) => (monitor.online && monitor.deviceInfo.valid ? 1 : undefined),
    },
    ...[...TELEMETRY_TABLE, ...OUTPUT_TABLE].filter(({ metric }) => metric).map(ofRow),
    {
      name: "bms_cell_voltage_volts",
      help: "Voltage of a cell",
      type: "gauge",
      decimals: MILLI,
      size: MAX_CELLS,
      labels: numbered,
      value: ({ monitor }, index) => (hasCell(monitor, index) ? cellVoltage(monitor.telemetry, index) : undefined),
    },
    {
      name: "bms_cell_wire_resistance_ohms",
      help: "Resistance of a cell's balance lead",
      type: "gauge",
      decimals: MILLI,
      size: MAX_CELLS,
      labels: numbered,
      value: ({ monitor }, index) => (hasCell(monitor, index) ? cellResistance(monitor.telemetry, index) : undefined),
    },
    {
      name: "bms_alarm",
      help: "Whether the BMS reports the alarm",
      type: "gauge",
      size: ALARMS_TABLE.length,
      labels: (line, _parts, index) => line.label(ALARM, (ALARMS_TABLE[index] as { name: string }).name),
      value({ monitor }, index) {
        const bits = alarmBits(monitor);
        return bits === undefined ? undefined : isOne(isRaised(bits, index));
      },
    },
  ],
  true,
);
