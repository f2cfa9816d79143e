/** The documents of the API about the BMS, written by walking the tables. */
import { cellMask, MAX_CELLS, VOLTAGES, WIRE_RESISTANCES } from "jk-bms/cells";
import type { BlockImage } from "jk-bms/types";
import { jsonBytes } from "json/bytes";
import { writeDecimal } from "json/decimal";
import { jsonName, type JsonWriter } from "json/writer";
import { extremesOf } from "./computed";
import { planOf, writePlan, type Member } from "./plan";
import { SETTINGS_TABLE } from "./settings-table";
import { imageOf, TELEMETRY_TABLE, telemetryValue, type TelemetryRow } from "./telemetry-table";
import type { Monitor } from "./types";

/** Decimals of a cell's voltage (mV). */
const CELL_DECIMALS = 3;

const COMMA = 0x2c;
const CLOSE = 0x7d;

const CELLS = jsonName("cells");
/** Of each cell all before its voltage. */
const CELL_HEADS: readonly Uint8Array[] = Object.freeze(
  Array.from({ length: MAX_CELLS }, (_, index) => jsonBytes(`{"number":${index + 1},"voltage":`)),
  true,
);
const WIRE_RESISTANCE = jsonBytes(`,"wireResistanceMilliOhm":`);

const memberOf = (row: TelemetryRow): Member => ({ ...row, object: row.group });

const STATUS = planOf(TELEMETRY_TABLE.map(memberOf));
const SUMMARY = planOf(TELEMETRY_TABLE.filter(({ summary }) => summary).map(memberOf));
const CONFIGURATION = planOf([
  {
    object: "",
    member: "loaded",
    kind: "boolean",
    decimals: 0,
    compute: ({ configurationLoaded }) => configurationLoaded,
  },
  ...SETTINGS_TABLE,
]);

/** The members of `data` of GET /api/bms/status. */
export function writeStatus(json: JsonWriter, monitor: Monitor): void {
  writePlan(json, monitor, STATUS, extremesOf(monitor));
  writeCells(json, monitor);
}

/** The members of GET /api/bms/status but the cells, without those whose block has not been read. */
export function writeTelemetry(json: JsonWriter, monitor: Monitor): void {
  if (monitor.telemetry.valid && monitor.setup.valid && monitor.deviceInfo.valid)
    writePlan(json, monitor, STATUS, extremesOf(monitor));
  else writeKnown(json, monitor);
}

/** Row by row, as long as a block is missing. */
function writeKnown(json: JsonWriter, monitor: Monitor): void {
  let object = "";
  for (const row of TELEMETRY_TABLE) {
    if (row.field && !imageOf(monitor, row.field).valid) continue;
    if (row.group !== object) {
      if (object) json.close();
      object = row.group;
      if (object) json.open(object);
    }
    const value = telemetryValue(monitor, row);
    if (typeof value === "number") json.decimal(row.member, value, row.decimals);
    else json.value(row.member, value);
  }
  if (object) json.close();
}

/** The members of `data.bms` of GET /api. */
export function writeSummary(json: JsonWriter, monitor: Monitor): void {
  writePlan(json, monitor, SUMMARY);
}

/** The members of `data` of GET /api/bms/config. */
export function writeConfiguration(json: JsonWriter, monitor: Monitor): void {
  writePlan(json, monitor, CONFIGURATION);
}

/** The array `cells`. */
export function writeCells(json: JsonWriter, { telemetry }: Monitor): void {
  json.openArray(CELLS);
  if (telemetry.valid) json.resume(writeItems(json.buffer, json.length, telemetry));
  json.closeArray();
}

function writeItems(into: Uint8Array, at: number, image: BlockImage): number {
  const { view, littleEndian } = image;
  const limit = into.length;
  const start = at;
  let present = cellMask(image);
  let index = 0;
  let head = WIRE_RESISTANCE;
  let end = 0;
  while (present) {
    if (present & 1) {
      head = CELL_HEADS[index] as Uint8Array;
      end = at + head.length;
      if (end <= limit) into.set(head, at);
      at = writeDecimal(into, end, view.getUint16(VOLTAGES + 2 * index, littleEndian), CELL_DECIMALS);
      end = at + WIRE_RESISTANCE.length;
      if (end <= limit) into.set(WIRE_RESISTANCE, at);
      at = writeDecimal(into, end, view.getUint16(WIRE_RESISTANCES + 2 * index, littleEndian), 0);
      into[at] = CLOSE;
      into[at + 1] = COMMA;
      at += 2;
    }
    index++;
    present >>>= 1;
  }
  // The last one has no comma behind it.
  return at > start ? at - 1 : at;
}
