/** The documents of the API about the BMS, written by walking the tables. */
import { cellMask, cellResistance, cellVoltage } from "jk-bms/cells";
import { jsonName, jsonNames, type JsonWriter, type Name } from "json/writer";
import { SETTINGS_TABLE } from "./settings-table";
import { fieldNumber, fieldText, imageOf, TELEMETRY_TABLE, telemetryValue, type TelemetryRow } from "./telemetry-table";
import type { Monitor } from "./types";

/** Decimals of a cell's voltage (mV). */
const CELL_DECIMALS = 3;

const NAMES = jsonNames("loaded", "cells", "number", "voltage", "wireResistanceMilliOhm");

/** A row of a table and what is written before it. */
interface Step<Row> {
  readonly row: Row;
  readonly name: Name;
  /** The row before was the last one of its object. */
  readonly closes: boolean;
  /** The row is the first one of this object. */
  readonly opens: Name | undefined;
}

/** The rows of one object stand together; the empty one is the document's own. */
function stepsOf<Row extends { readonly member: string }>(
  rows: readonly Row[],
  objectOf: (row: Row) => string,
): readonly Step<Row>[] {
  let object = "";
  const steps = rows.map((row): Step<Row> => {
    const before = object;
    object = objectOf(row);
    const changes = object !== before;
    return {
      row,
      name: jsonName(row.member),
      closes: changes && before !== "",
      opens: changes && object ? jsonName(object) : undefined,
    };
  });
  return Object.freeze(steps, true);
}

const STATUS = stepsOf(TELEMETRY_TABLE, ({ group }) => group);
const SUMMARY = stepsOf(
  TELEMETRY_TABLE.filter(({ summary }) => summary),
  ({ group }) => group,
);
const CONFIGURATION = stepsOf(SETTINGS_TABLE, ({ object }) => object);

/** The members of `data` of GET /api/bms/status. */
export function writeStatus(json: JsonWriter, monitor: Monitor): void {
  writeSteps(json, monitor, STATUS);
  writeCells(json, monitor);
}

/** The members of GET /api/bms/status but the cells, without those whose block has not been read. */
export function writeTelemetry(json: JsonWriter, monitor: Monitor): void {
  let group = "";
  for (const { row, name } of STATUS) {
    if (row.field && !imageOf(monitor, row.field).valid) continue;
    if (row.group !== group) {
      if (group) json.close();
      group = row.group;
      if (group) json.open(group);
    }
    writeRow(json, monitor, row, name);
  }
  if (group) json.close();
}

/** The members of `data.bms` of GET /api. */
export function writeSummary(json: JsonWriter, monitor: Monitor): void {
  writeSteps(json, monitor, SUMMARY);
}

/** The members of `data` of GET /api/bms/config. */
export function writeConfiguration(json: JsonWriter, monitor: Monitor): void {
  json.boolean(NAMES.loaded, monitor.configurationLoaded);
  for (const { row, name, closes, opens } of CONFIGURATION) {
    if (closes) json.close();
    if (opens) json.open(opens);
    if (row.kind === "text") json.string(name, fieldText(monitor, row.field));
    else if (row.kind === "boolean") json.boolean(name, fieldNumber(monitor, row.field) !== 0);
    else json.decimal(name, fieldNumber(monitor, row.field), row.field.decimals);
  }
  json.close();
}

function writeSteps(json: JsonWriter, monitor: Monitor, steps: readonly Step<TelemetryRow>[]): void {
  let inObject = false;
  for (const { row, name, closes, opens } of steps) {
    if (closes) json.close();
    if (opens) json.open(opens);
    inObject = row.group !== "";
    writeRow(json, monitor, row, name);
  }
  if (inObject) json.close();
}

function writeRow(json: JsonWriter, monitor: Monitor, row: TelemetryRow, name: Name): void {
  const value = telemetryValue(monitor, row);
  if (typeof value === "number") json.decimal(name, value, row.decimals);
  else if (typeof value === "string") json.string(name, value);
  else json.boolean(name, value);
}

/** The array `cells`. */
export function writeCells(json: JsonWriter, { telemetry }: Monitor): void {
  json.openArray(NAMES.cells);
  if (telemetry.valid)
    for (let index = 0, present = cellMask(telemetry); present; index++, present >>>= 1) {
      if (!(present & 1)) continue;
      json
        .open()
        .integer(NAMES.number, index + 1)
        .decimal(NAMES.voltage, cellVoltage(telemetry, index), CELL_DECIMALS)
        .integer(NAMES.wireResistanceMilliOhm, cellResistance(telemetry, index))
        .close();
    }
  json.closeArray();
}
