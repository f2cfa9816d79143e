/** Writes the pack's JSON documents by walking the tables. */
import { cellMask, MAX_CELLS, VOLTAGES, WIRE_RESISTANCES } from "jk-bms/cells";
import { serialNumber } from "jk-bms/field-table";
import { blockOf } from "jk-bms/fields";
import { TELEMETRY, type BlockImage, type BlockType } from "jk-bms/types";
import { decimalText } from "json/decimal";
import type { JsonWriter } from "json/writer";
import type { Pack } from "./pack";
import { CELL_VOLTS, FURTHER_DEGREES } from "./quantities";
import { isOnline } from "./computed";
import { currentBlock, lastBlock, valueIn } from "./read";
import type { Row, Value } from "./row";
import { PARAMETERS_TABLE } from "./parameters";
import { SUMMARY, TELEMETRY_TABLE } from "./telemetry";

/** How unknown values are represented. */
export type Representation = typeof REST | typeof LIVE | typeof LAST_KNOWN | typeof WITHOUT_SERIAL;
/** REST contract: the last known value; 0, an empty text or an empty array if there never was one. */
export const REST = 0;
/** Current values only; everything but `online` is null while the BMS is offline. */
export const LIVE = 1;
/** Last known values, null if there never was one: for clients that report the age. */
export const LAST_KNOWN = 2;
/** The same, and the serial number is null. */
export const WITHOUT_SERIAL = 3;

/** JSON of the REST contract's unknown values, by kind; of numbers 0. */
const UNKNOWN: Readonly<Partial<Record<string, string>>> = Object.freeze({ text: '""', boolean: "false" }, true);

/** Last published numbers, by row or cell; NaN: none. */
export type Published = Float32Array;

/** Characters: writing takes XS some 170 steps, however long the text is; making a long one leaves much garbage. */
const AT_ONCE = 200;

const CELLS = "cells";
const cellText = (number: number, voltage: number, resistance: number): string =>
  `{"number":${number},"voltage":${decimalText(voltage, CELL_VOLTS.decimals)},"wireResistanceMilliOhm":${resistance}}`;
/** Bytes that `writeCells` writes at most, comma included: all cells, each value with all its digits. */
export const MAX_CELLS_BYTES = CELLS.length + 6 + MAX_CELLS * (cellText(MAX_CELLS, 65_535, 65_535).length + 1);

const SUMMARY_ROWS: readonly Row[] = Object.freeze(
  TELEMETRY_TABLE.filter(({ flags }) => flags & SUMMARY),
  true,
);

/** Writes the members of data of GET /api/bms/status. */
export function writeStatus(json: JsonWriter, pack: Pack, representation: Representation = REST): void {
  writeRows(json, pack, TELEMETRY_TABLE, representation);
  writeCells(json, pack, representation);
}

/** The same without the cells. `published`: see `writeRows`. */
export function writeTelemetry(
  json: JsonWriter,
  pack: Pack,
  representation: Representation,
  published?: Published,
): void {
  writeRows(json, pack, TELEMETRY_TABLE, representation, published);
}

/** Writes the members of `data.bms` of GET /api. */
export function writeSummary(json: JsonWriter, pack: Pack): void {
  writeRows(json, pack, SUMMARY_ROWS, REST);
  json.string("mode", pack.listening ? "listen" : "poll");
}

/** Writes the members of data of GET /api/bms/config. */
export function writeConfiguration(json: JsonWriter, pack: Pack, representation: Representation = REST): void {
  json.boolean("loaded", pack.configurationLoaded);
  writeRows(json, pack, PARAMETERS_TABLE, representation);
}

/** Writes the array `cells`. `published` has MAX_CELLS entries. */
export function writeCells(json: JsonWriter, pack: Pack, representation: Representation, published?: Published): void {
  const telemetry = (representation === LIVE ? currentBlock : lastBlock)(pack, TELEMETRY);
  if (!telemetry && representation !== REST) return void json.null(CELLS);
  json.openArray(CELLS);
  if (telemetry) writeItems(json, telemetry, published);
  json.closeArray();
}

function writeItems(json: JsonWriter, image: BlockImage, published?: Published): void {
  const { view, littleEndian } = image;
  let present = cellMask(image);
  let index = 0;
  let voltage = 0;
  let text = "";
  while (present) {
    if (present & 1) {
      voltage = view.getUint16(VOLTAGES + 2 * index, littleEndian);
      if (published) voltage = held(published, index, voltage, CELL_VOLTS.deadBand);
      if (text) text += ",";
      text += cellText(index + 1, voltage, view.getUint16(WIRE_RESISTANCES + 2 * index, littleEndian));
      if (text.length > AT_ONCE) {
        json.members(text);
        text = "";
      }
    }
    index++;
    present >>>= 1;
  }
  if (text) json.members(text);
}

/**
 * Writes `rows`, grouped by object, into the innermost open object. One loop without look-ups, because it runs at each poll and each
 * request. `published` has one entry per row: a number within its dead band repeats the last published value.
 */
export function writeRows(
  json: JsonWriter,
  pack: Pack,
  rows: readonly Row[],
  representation: Representation,
  published?: Published,
): void {
  const count = rows.length;
  const isReported = representation !== LIVE || pack.online;
  let index = -1;
  // Most rows read the same block as the previous one.
  let block = 0;
  let where: BlockType;
  let image: BlockImage | undefined;
  let value: Value | undefined;
  // Outside the loop: XS recreates block-scoped variables on every iteration.
  let row: Row;
  let source: Row["source"];
  let quantity: Row["quantity"];
  let name = "";
  /** The object that is open, with the dot behind its name. */
  let open = "";
  /** Members to be written, and the one of this row. */
  let text = "";
  let member = "";
  while (++index < count) {
    row = rows[index] as Row;
    source = row.source;
    quantity = row.quantity;
    if (typeof source === "function")
      value = isReported || source === isOnline ? source(pack, representation === REST) : undefined;
    else {
      where = blockOf(source);
      if (where !== block) {
        block = where;
        image = isReported ? lastBlock(pack, where) : undefined;
      }
      value =
        representation === WITHOUT_SERIAL && source === serialNumber
          ? undefined
          : valueIn(image, source, quantity.kind);
    }
    if (typeof value === "number") {
      if (published) value = held(published, index, value, quantity.deadBand);
      member = decimalText(value, quantity.decimals);
    } else if (value !== undefined) member = JSON.stringify(value);
    else if (quantity === FURTHER_DEGREES) continue;
    else member = representation === REST ? (UNKNOWN[quantity.kind] ?? "0") : "null";
    name = row.path;
    if (open && name.startsWith(open)) member = `"${name.slice(open.length)}":${member}`;
    else {
      if (open) text += "}";
      open = name.slice(0, name.indexOf(".") + 1);
      member = `"${name.slice(open.length)}":${member}`;
      if (open) member = `"${open.slice(0, -1)}":{${member}`;
    }
    if (text.length > AT_ONCE) {
      json.members(text);
      text = "";
    }
    text += text ? `,${member}` : member;
  }
  if (open) text += "}";
  if (text) json.members(text);
}

/** Applies the dead band; 0 always passes, because it means that something has ended. */
function held(published: Published, index: number, value: number, deadBand = 1): number {
  const last = published[index] as number;
  if (value && Math.abs(value - last) < deadBand) return last;
  published[index] = value;
  return value;
}
