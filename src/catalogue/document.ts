/** Writes the pack's JSON documents by walking the tables. */
import { cellMask, MAX_CELLS, VOLTAGES, WIRE_RESISTANCES } from "jk-bms/cells";
import { serialNumber } from "jk-bms/field-table";
import { UNPRINTABLE, blockOf, getterOf, lengthOf, offsetOf, type Getter } from "jk-bms/fields";
import { TELEMETRY, type BlockImage, type BlockType } from "jk-bms/types";
import { jsonBytes, writeAscii, writeText, writeValue } from "json/bytes";
import { writeDecimal } from "json/decimal";
import type { JsonWriter } from "json/writer";
import TextEncoder from "text/encoder";
import type { Pack } from "./pack";
import { CELL_VOLTS, FURTHER_DEGREES } from "./quantities";
import { isOnline } from "./computed";
import { currentBlock, hasText, lastBlock } from "./read";
import type { Row, Value } from "./row";
import { PARAMETERS_TABLE } from "./parameters";
import { SUMMARY, TELEMETRY_TABLE } from "./telemetry";

/** How unknown values are represented. */
export type Manner = typeof REST | typeof LIVE | typeof LAST_KNOWN | typeof WITHOUT_SERIAL;
/** REST contract: the last known value; 0, an empty text or an empty array if there never was one. */
export const REST = 0;
/** Current values only; everything but `online` is null while the BMS is offline. */
export const LIVE = 1;
/** Last known values, null if there never was one: for clients that report the age. */
export const LAST_KNOWN = 2;
/** The same, and the serial number is null. */
export const WITHOUT_SERIAL = 3;

/** Last published numbers, by row or cell; NaN: none. */
export type Published = Float32Array;

const OPEN = 0x7b;
const CLOSE = 0x7d;
const COMMA = 0x2c;

const CELLS = "cells";
/** JSON of each cell up to its voltage, with the end of the cell before it. */
const CELL_HEADS: readonly string[] = Object.freeze(
  Array.from({ length: MAX_CELLS }, (_, index) => `},{"number":${index + 1},"voltage":`),
  true,
);
/** Of that end. */
const END_BYTES = 2;
/** Bytes: it is written once a cell, with its number. */
const WIRE_RESISTANCE = jsonBytes(',"wireResistanceMilliOhm":');
/** Bytes that `writeCells` writes at most, comma included: all cells, each value with all its digits (65.535 and 65535). */
export const MAX_CELLS_BYTES = CELL_HEADS.reduce(
  (bytes, head) => bytes + head.length + WIRE_RESISTANCE.length + 6 + 5,
  CELLS.length + 6,
);

const SUMMARY_ROWS: readonly Row[] = Object.freeze(
  TELEMETRY_TABLE.filter(({ flags }) => flags & SUMMARY),
  true,
);

/** Writes the members of data of GET /api/bms/status. */
export function writeStatus(json: JsonWriter, pack: Pack, manner: Manner = REST): void {
  writeRows(json, pack, TELEMETRY_TABLE, manner);
  writeCells(json, pack, manner);
}

/** The same without the cells. `published`: see `writeRows`. */
export function writeTelemetry(json: JsonWriter, pack: Pack, manner: Manner, published?: Published): void {
  writeRows(json, pack, TELEMETRY_TABLE, manner, published);
}

/** Writes the members of `data.bms` of GET /api. */
export function writeSummary(json: JsonWriter, pack: Pack): void {
  writeRows(json, pack, SUMMARY_ROWS, REST);
  json.string("mode", pack.listening ? "listen" : "poll");
}

/** Writes the members of data of GET /api/bms/config. */
export function writeConfiguration(json: JsonWriter, pack: Pack, manner: Manner = REST): void {
  json.boolean("loaded", pack.configurationLoaded);
  writeRows(json, pack, PARAMETERS_TABLE, manner);
}

/** Writes the array `cells`. `published` has MAX_CELLS entries. */
export function writeCells(json: JsonWriter, pack: Pack, manner: Manner, published?: Published): void {
  const telemetry = (manner === LIVE ? currentBlock : lastBlock)(pack, TELEMETRY);
  if (!telemetry && manner !== REST) return void json.null(CELLS);
  json.openArray(CELLS);
  if (telemetry) json.resume(writeItems(json.buffer, json.length, telemetry, published));
  json.closeArray();
}

/**
 * Writes `rows`, grouped by object, into the innermost open object. One loop without look-ups, because it runs at each poll and each
 * request. `published` has one entry per row: a number within its dead band repeats the last published value.
 */
export function writeRows(
  json: JsonWriter,
  pack: Pack,
  rows: readonly Row[],
  manner: Manner,
  published?: Published,
): void {
  const into = json.buffer;
  const { buffer, byteOffset, length: limit } = into;
  const count = rows.length;
  const isTold = manner !== LIVE || pack.online;
  let at = json.length;
  let index = 0;
  const encoder = new TextEncoder();
  // Most rows read the same block as the previous one.
  let block = 0;
  let where: BlockType;
  let getter: Getter | undefined;
  let image: BlockImage | undefined;
  let { view, littleEndian } = pack.telemetry;
  let value: Value | undefined;
  // Outside the loop: XS makes what a block declares anew each time.
  let row: Row;
  let source: Row["source"];
  let kind = "";
  let name = "";
  let dot = 0;
  let object = "";
  let open = "";
  let head = "";
  let end = 0;
  if (!count) return;
  while (index < count) {
    row = rows[index] as Row;
    source = row.source;
    if (typeof source === "function") value = isTold || source === isOnline ? source(pack, manner === REST) : undefined;
    else {
      where = blockOf(source);
      if (where !== block) {
        block = where;
        image = isTold ? lastBlock(pack, where) : undefined;
        if (image) ({ view, littleEndian } = image);
      }
      getter = getterOf(source);
      value = image && getter ? view[getter](offsetOf(source), littleEndian) : undefined;
    }
    if (published && typeof value === "number") value = held(published, index, value, row.quantity.deadBand);
    if (value === undefined && row.quantity === FURTHER_DEGREES) {
      index++;
      continue;
    }
    name = row.path;
    dot = name.indexOf(".");
    if (dot < 0) object = "";
    else {
      object = name.slice(0, dot);
      name = name.slice(dot + 1);
    }
    if (object !== open && open) {
      into[at] = CLOSE;
      at++;
    }
    if (into[at - 1] !== OPEN) {
      into[at] = COMMA;
      at++;
    }
    head = object === open || !object ? `"${name}":` : `"${object}":{"${name}":`;
    open = object;
    end = at + head.length;
    if (end <= limit) encoder.encodeInto(head, new Uint8Array(buffer, byteOffset + at));
    kind = row.quantity.kind;
    if (kind === "text" && typeof source !== "function") {
      if (image && hasText(view, source) && (manner !== WITHOUT_SERIAL || source !== serialNumber))
        at = writeAscii(into, end, view, offsetOf(source), lengthOf(source), UNPRINTABLE);
      else at = writeUnknown(into, end, kind, manner);
    } else if (value === undefined) at = writeUnknown(into, end, kind, manner);
    else if (kind === "boolean") at = writeText(into, end, value ? "true" : "false");
    else if (typeof value === "number") at = writeDecimal(into, end, value, row.quantity.decimals);
    else at = writeValue(into, end, value);
    index++;
  }
  if (open) {
    into[at] = CLOSE;
    at++;
  }
  json.resume(at);
}

/** Applies the dead band; 0 always passes, because it means that something has ended. */
function held(published: Published, index: number, value: number, deadBand = 1): number {
  const last = published[index] as number;
  if (value && Math.abs(value - last) < deadBand) return last;
  published[index] = value;
  return value;
}

function writeUnknown(into: Uint8Array, at: number, kind: string, manner: Manner): number {
  if (manner !== REST) return writeText(into, at, "null");
  if (kind === "text") return writeText(into, at, '""');
  return writeText(into, at, kind === "boolean" ? "false" : "0");
}

function writeItems(into: Uint8Array, at: number, image: BlockImage, published?: Published): number {
  const { view, littleEndian } = image;
  const { buffer, byteOffset, length: limit } = into;
  const start = at;
  let present = cellMask(image);
  let index = 0;
  const encoder = new TextEncoder();
  let head = "";
  let end = 0;
  let voltage = 0;
  while (present) {
    if (present & 1) {
      head = CELL_HEADS[index] as string;
      if (at === start) head = head.slice(END_BYTES);
      end = at + head.length;
      if (end <= limit) encoder.encodeInto(head, new Uint8Array(buffer, byteOffset + at));
      voltage = view.getUint16(VOLTAGES + 2 * index, littleEndian);
      if (published) voltage = held(published, index, voltage, CELL_VOLTS.deadBand);
      at = writeDecimal(into, end, voltage, CELL_VOLTS.decimals);
      end = at + WIRE_RESISTANCE.length;
      if (end <= limit) into.set(WIRE_RESISTANCE, at);
      at = writeDecimal(into, end, view.getUint16(WIRE_RESISTANCES + 2 * index, littleEndian), 0);
    }
    index++;
    present >>>= 1;
  }
  if (at === start) return at;
  into[at] = CLOSE;
  return at + 1;
}
