/** The documents of the API about the BMS, written by walking the tables. */
import { cellMask, cellResistance, cellVoltage } from "jk-bms/cells";
import type { JsonWriter } from "json/writer";
import { SETTINGS_TABLE } from "./settings-table";
import { fieldNumber, fieldText, imageOf, TELEMETRY_TABLE, telemetryValue, type TelemetryRow } from "./telemetry-table";
import type { Monitor } from "./types";

/** Decimals of a cell's voltage (mV). */
const CELL_DECIMALS = 3;

/** The members of `data` of GET /api/bms/status. */
export function writeStatus(json: JsonWriter, monitor: Monitor): void {
  writeRows(json, monitor, isAny);
  writeCells(json, monitor);
}

/** The members of GET /api/bms/status but the cells, without those whose block has not been read. */
export function writeTelemetry(json: JsonWriter, monitor: Monitor): void {
  writeRows(json, monitor, isKnown);
}

/** The members of `data.bms` of GET /api. */
export function writeSummary(json: JsonWriter, monitor: Monitor): void {
  writeRows(json, monitor, isOfSummary);
}

/** The members of `data` of GET /api/bms/config. */
export function writeConfiguration(json: JsonWriter, monitor: Monitor): void {
  json.boolean("loaded", monitor.configurationLoaded);
  let object = "";
  for (const row of SETTINGS_TABLE) {
    if (row.object !== object) {
      if (object) json.close();
      object = row.object;
      json.open(object);
    }
    if (row.kind === "text") json.string(row.member, fieldText(monitor, row.field));
    else if (row.kind === "boolean") json.boolean(row.member, fieldNumber(monitor, row.field) !== 0);
    else json.decimal(row.member, fieldNumber(monitor, row.field), row.field.decimals);
  }
  json.close();
}

type Choice = (row: TelemetryRow, monitor: Monitor) => boolean;

const isAny: Choice = () => true;
const isOfSummary: Choice = ({ summary }) => summary;
const isKnown: Choice = ({ field }, monitor) => !field || imageOf(monitor, field).valid;

function writeRows(json: JsonWriter, monitor: Monitor, isChosen: Choice): void {
  let group = "";
  for (const row of TELEMETRY_TABLE) {
    if (!isChosen(row, monitor)) continue;
    if (row.group !== group) {
      if (group) json.close();
      group = row.group;
      if (group) json.open(group);
    }
    writeRow(json, monitor, row);
  }
  if (group) json.close();
}

function writeRow(json: JsonWriter, monitor: Monitor, row: TelemetryRow): void {
  const value = telemetryValue(monitor, row);
  if (typeof value === "number") json.decimal(row.member, value, row.decimals);
  else if (typeof value === "string") json.string(row.member, value);
  else json.boolean(row.member, value);
}

/** The array `cells`. */
export function writeCells(json: JsonWriter, { telemetry }: Monitor): void {
  json.openArray("cells");
  if (telemetry.valid)
    for (let index = 0, present = cellMask(telemetry); present; index++, present >>>= 1) {
      if (!(present & 1)) continue;
      json
        .open()
        .integer("number", index + 1)
        .decimal("voltage", cellVoltage(telemetry, index), CELL_DECIMALS)
        .integer("wireResistanceMilliOhm", cellResistance(telemetry, index))
        .close();
    }
  json.closeArray();
}
