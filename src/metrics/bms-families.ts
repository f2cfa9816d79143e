/** BMS telemetry, cells and alarms. Only current values: while the BMS is offline there are no samples. */
import { cellMask, MAX_CELLS, VOLTAGES, WIRE_RESISTANCES } from "jk-bms/cells";
import { DEVICE_INFO, TELEMETRY } from "jk-bms/types";
import { alarmBits, ALARMS_TABLE } from "../catalogue/alarms";
import { CONCERNS } from "../catalogue/concerns";
import { currentBlock } from "../catalogue/read";
import { OUTPUT_TABLE, TELEMETRY_TABLE, telemetryRow, type TelemetryRow } from "../catalogue/telemetry";
import { isOne, type Description, type Parts } from "./family";

const MILLI = 3;
/** 1 Ah is 3,600 C: from thousandths of an ampere-hour to tenths of a coulomb the factor is 36. */
const COULOMBS = 36;
const COULOMB_DECIMALS = -2;
const PERCENT_DECIMALS = 2;

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
    ...(unit === "Ah" && { factor: COULOMBS }),
  };
}

/** One 16-bit value per cell, from byte `first` of the telemetry; undefined for absent cells. */
function cellWords({ monitor }: Parts, first: number): readonly (number | undefined)[] {
  const words: (number | undefined)[] = [];
  const telemetry = currentBlock(monitor, TELEMETRY);
  if (!telemetry) return words;
  const { view, littleEndian } = telemetry;
  let present = cellMask(telemetry);
  let cell = 0;
  // On XS a call of push takes six times the steps.
  while (present) {
    words[cell] = present & 1 ? view.getUint16(first + 2 * cell, littleEndian) : undefined;
    cell++;
    present >>>= 1;
  }
  return words;
}

const CELL_NUMBERS = Object.freeze(
  Array.from({ length: MAX_CELLS }, (_, cell) => `${cell + 1}`),
  true,
);

const INFO_LABELS = Object.freeze(["model", "name", "chemistry", "hardware_version", "software_version"], true);
const INFO_ROWS = Object.freeze(
  ["model", "name", "batteryType", "info.hardwareVersion", "info.softwareVersion"].map(telemetryRow),
  true,
);

export const BMS_FAMILIES: readonly Description[] = Object.freeze<Description[]>(
  [
    {
      name: "bms_info",
      help: "The BMS by its names, always 1",
      type: "gauge",
      labels: INFO_LABELS,
      rows: INFO_ROWS,
      value: ({ monitor }) => (currentBlock(monitor, DEVICE_INFO) ? 1 : undefined),
    },
    ...[...TELEMETRY_TABLE, ...OUTPUT_TABLE].filter(({ metric }) => metric).map(ofRow),
    {
      name: "bms_cell_voltage_volts",
      help: "Voltage of a cell",
      type: "gauge",
      decimals: MILLI,
      label: "cell",
      names: CELL_NUMBERS,
      values: (parts) => cellWords(parts, VOLTAGES),
    },
    {
      name: "bms_cell_wire_resistance_ohms",
      help: "Resistance of a cell's balance lead",
      type: "gauge",
      decimals: MILLI,
      label: "cell",
      names: CELL_NUMBERS,
      values: (parts) => cellWords(parts, WIRE_RESISTANCES),
    },
    {
      name: "bms_alarm",
      help: "Whether the BMS reports the alarm",
      type: "gauge",
      label: "alarm",
      names: ALARMS_TABLE.map(({ name }) => name),
      bits: ({ monitor }) => alarmBits(monitor),
    },
    {
      name: "bms_well",
      help: "Whether nothing needs attention: 0 while the BMS is offline",
      type: "gauge",
      value: ({ monitor }) => isOne(!monitor.concerns),
    },
    {
      name: "bms_concern",
      help: "Whether this needs attention",
      type: "gauge",
      label: "concern",
      names: CONCERNS,
      bits: ({ monitor }) => monitor.concerns,
    },
  ],
  true,
);
