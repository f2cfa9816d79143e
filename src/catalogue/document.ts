/** Writes the pack's JSON documents by walking the tables. */
import { cellMask, MAX_CELLS, VOLTAGES, WIRE_RESISTANCES } from "jk-bms/cells";
import { UNPRINTABLE } from "jk-bms/fields";
import { TELEMETRY, type BlockImage } from "jk-bms/types";
import { jsonBytes, writeAscii, writeText, writeValue } from "json/bytes";
import { writeDecimal } from "json/decimal";
import type { JsonWriter } from "json/writer";
import TextEncoder from "text/encoder";
import type { Kept } from "./kept";
import type { Pack } from "./pack";
import { CELL_VOLTS } from "./quantities";
import { isOnline } from "./computed";
import { currentBlock, hasText, lastBlock } from "./read";
import { LAST, type Row, type Value } from "./row";
import { PARAMETERS_TABLE } from "./parameters";
import { SUMMARY, TELEMETRY_TABLE } from "./telemetry";

/** How unknown values are represented. */
export type Manner = typeof REST | typeof LIVE | typeof LAST_KNOWN;
/** REST contract: the last known value; 0, an empty text or an empty array if there never was one. */
export const REST = 0;
/** Current values only; everything but `online` is null while the BMS is offline. */
export const LIVE = 1;
/** Last known values, null if there never was one: for clients that report the age. */
export const LAST_KNOWN = 2;

/** Last published numbers, by row or cell; NaN: none. */
export type Published = Float64Array;

const CLOSE = 0x7d;

const CELLS = "cells";
/** JSON of each cell up to its voltage, with the end of the cell before it. */
const CELL_HEADS: readonly string[] = Object.freeze(
  Array.from({ length: MAX_CELLS }, (_, index) => `},{"number":${index + 1},"voltage":`),
  true,
);
/** Bytes of that end. */
const END_BYTES = 2;
/** Bytes: it is written once a cell, with its number. */
const WIRE_RESISTANCE = jsonBytes(',"wireResistanceMilliOhm":');
/** Bytes that `writeCells` writes at most, comma included: all cells, each value with all its digits (65.535 and 65535). */
export const MAX_CELLS_BYTES = CELL_HEADS.reduce(
  (bytes, head) => bytes + head.length + WIRE_RESISTANCE.length + 6 + 5,
  CELLS.length + 6,
);

/**
 * Items of a Kept for `writeStatus`: the byte order of the cells and where the rows begin; the rows; which cells there are and where they
 * begin, 0 without any; the voltages of two cells each; their wire resistances.
 */
const CELLS_KEPT = TELEMETRY_TABLE.length + 1;
const PAIRS = MAX_CELLS / 2;
export const STATUS_ITEMS = CELLS_KEPT + 1 + 2 * PAIRS;

const SUMMARY_ROWS: readonly Row[] = Object.freeze(
  TELEMETRY_TABLE.filter(({ flags }) => flags & SUMMARY),
  true,
);

/** Items of a Kept for `writeSummary`: where the rows begin, and the rows. */
export const SUMMARY_ITEMS = SUMMARY_ROWS.length + 1;

/** Writes the members of data of GET /api/bms/status. `kept`, only with REST, has STATUS_ITEMS. */
export function writeStatus(json: JsonWriter, pack: Pack, manner: Manner = REST, kept?: Kept): void {
  writeRows(json, pack, TELEMETRY_TABLE, manner, undefined, kept);
  writeCells(json, pack, manner, undefined, kept);
}

/** The same without the cells. `published`: see `writeRows`. */
export function writeTelemetry(json: JsonWriter, pack: Pack, manner: Manner, published?: Published): void {
  writeRows(json, pack, TELEMETRY_TABLE, manner, published);
}

/** Writes the members of `data.bms` of GET /api. `kept` has SUMMARY_ITEMS at least. */
export function writeSummary(json: JsonWriter, pack: Pack, kept?: Kept): void {
  writeRows(json, pack, SUMMARY_ROWS, REST, undefined, kept);
  json.string("mode", pack.listening ? "listen" : "poll");
}

/**
 * Brings the rows of a document with `writeSummary` up to date in place; the mode must be the same.
 * @param into to write in.
 * @param moved how far they have moved since. Returns how far what follows has moved; NaN: see `Kept.replace`.
 */
export function reviseSummary(kept: Kept, into: Uint8Array, pack: Pack, moved: number): number {
  const { numbers, ends } = kept;
  const rows = SUMMARY_ROWS;
  const count = rows.length;
  let at = (ends[0] as number) + moved;
  let index = 0;
  // As in `writeRows`.
  let block = 0;
  let image: BlockImage | undefined;
  let { view, littleEndian } = pack.telemetry;
  let value: Value | undefined;
  let row: Row;
  let source: Row["source"];
  let kind = "";
  let close = 0;
  let change = 0;
  ends[0] = at;
  while (index < count) {
    row = rows[index] as Row;
    ({ source } = row);
    index++;
    if (typeof source === "function") value = source(pack);
    else {
      if (source.block !== block) {
        ({ block } = source);
        image = lastBlock(pack, source.block);
        if (image) ({ view, littleEndian } = image);
      }
      if (!image) value = undefined;
      else value = source.getter ? view[source.getter](source.offset, littleEndian) : image.revision;
    }
    if (value === true) value = 1;
    if (value !== (typeof value === "string" ? kept.text : numbers[index])) {
      ({ kind } = row.quantity);
      if (kind === "text") {
        kept.text = value;
        if (typeof source === "function")
          change = value === undefined ? writeUnknown(into, 0, kind, REST) : writeValue(into, 0, value);
        else if (image && hasText(view, source))
          change = writeAscii(into, 0, view, source.offset, source.length, UNPRINTABLE);
        else change = writeUnknown(into, 0, kind, REST);
      } else if (kind !== "boolean" && value !== undefined)
        change = writeDecimal(into, 0, value as number, row.quantity.decimals);
      else change = value ? writeText(into, 0, "true") : writeUnknown(into, 0, kind, REST);
      close = row.flags & LAST ? 1 : 0;
      change = kept.replace(at + row.lead.length, (ends[index] as number) + moved - close, into, change);
      moved += change;
      numbers[index] = value as number;
    }
    if (moved) ends[index] = (ends[index] as number) + moved;
    at = ends[index] as number;
  }
  return moved;
}

/** Writes the members of data of GET /api/bms/config. */
export function writeConfiguration(json: JsonWriter, pack: Pack, manner: Manner = REST): void {
  json.boolean("loaded", pack.configurationLoaded);
  writeRows(json, pack, PARAMETERS_TABLE, manner);
}

/** Writes the array `cells`. `published` has MAX_CELLS entries. */
export function writeCells(json: JsonWriter, pack: Pack, manner: Manner, published?: Published, kept?: Kept): void {
  const telemetry = (manner === LIVE ? currentBlock : lastBlock)(pack, TELEMETRY);
  if (kept && !telemetry) kept.ends[CELLS_KEPT] = 0;
  if (!telemetry && manner !== REST) return void json.null(CELLS);
  json.openArray(CELLS);
  if (telemetry) json.resume(writeItems(json.buffer, json.length, telemetry, published, kept));
  json.closeArray();
}

/**
 * Writes `rows` into the innermost open object. One loop without look-ups, because it runs at each poll and each
 * request. `published` has one entry per row: a number within its dead band repeats the last published value. `kept`, only with REST, has
 * one more: a row whose number is as it was is copied.
 */
export function writeRows(
  json: JsonWriter,
  pack: Pack,
  rows: readonly Row[],
  manner: Manner,
  published?: Published,
  kept?: Kept,
): void {
  const into = json.buffer;
  const limit = into.length;
  const count = rows.length;
  const isTold = manner !== LIVE || pack.online;
  let at = json.length;
  let index = 0;
  let end = 0;
  const encoder = new TextEncoder();
  let lead: Uint8Array;
  // Most rows read the same block as the previous one.
  let block = 0;
  let image: BlockImage | undefined;
  let { view, littleEndian } = pack.telemetry;
  let value: Value | undefined;
  // Outside the loop: XS makes what a block declares anew each time.
  let row: Row;
  let source: Row["source"];
  let kind = "";
  // In the old document: a run of rows that are as they were begins at `from`, and the last row ended at `ended`.
  const isKnown = kept?.known;
  // Without `kept` these are undefined, so that a use of them fails on every engine.
  const numbers = kept?.numbers as Int32Array;
  const ends = kept?.ends as Uint16Array;
  let from = -1;
  let began = 0;
  let ended = 0;
  if (kept) {
    ended = ends[0] as number;
    ends[0] = at;
  }
  while (index < count) {
    row = rows[index] as Row;
    ({ source } = row);
    index++;
    if (typeof source === "function") value = isTold || source === isOnline ? source(pack) : undefined;
    else {
      if (source.block !== block) {
        ({ block } = source);
        image = isTold ? lastBlock(pack, source.block) : undefined;
        if (image) ({ view, littleEndian } = image);
      }
      if (!image) value = undefined;
      else value = source.getter ? view[source.getter](source.offset, littleEndian) : image.revision;
    }
    if (kept) {
      began = ended;
      ended = ends[index] as number;
      if (value === true) value = 1;
      if (isKnown && value === numbers[index]) {
        if (from < 0) from = began;
        ends[index] = at + ended - from;
        continue;
      }
      numbers[index] = value as number;
      if (from >= 0) at = kept.copy(into, at, from, began);
      from = -1;
    } else if (published && typeof value === "number" && (typeof source === "function" || source.getter))
      value = held(published, index - 1, value, row.quantity.deadBand);
    ({ kind } = row.quantity);
    lead = encoder.encode(row.lead);
    end = at + lead.length;
    if (end <= limit) into.set(lead, at);
    if (kind === "text" && typeof source !== "function") {
      if (image && hasText(view, source)) at = writeAscii(into, end, view, source.offset, source.length, UNPRINTABLE);
      else at = writeUnknown(into, end, kind, manner);
    } else if (value === undefined) at = writeUnknown(into, end, kind, manner);
    else if (kind === "boolean") at = writeText(into, end, value ? "true" : "false");
    else at = writeKnown(into, end, value, row.quantity.decimals);
    if (row.flags & LAST) {
      into[at] = CLOSE;
      at++;
    }
    if (kept) ends[index] = at;
  }
  if (kept && from >= 0) at = kept.copy(into, at, from, ended);
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

function writeKnown(into: Uint8Array, at: number, value: Value, decimals: number): number {
  return typeof value === "number" ? writeDecimal(into, at, value, decimals) : writeValue(into, at, value);
}

function writeItems(into: Uint8Array, at: number, image: BlockImage, published?: Published, kept?: Kept): number {
  const { view, littleEndian } = image;
  const limit = into.length;
  const start = at;
  let present = cellMask(image);
  let index = 0;
  const encoder = new TextEncoder();
  let head: Uint8Array;
  let end = 0;
  let voltage = 0;
  // As in `writeRows`, but two cells at a time, by their bytes, if these are the cells of the old document.
  const numbers = kept?.numbers as Int32Array;
  const ends = kept?.ends as Uint16Array;
  let isKnown = false;
  let ended = 0;
  let from = -1;
  let began = 0;
  let pair = CELLS_KEPT;
  let voltages = 0;
  let resistances = 0;
  if (kept) {
    const order = littleEndian ? 1 : 0;
    ended = ends[CELLS_KEPT] as number;
    isKnown = kept.known && ended > 0 && numbers[CELLS_KEPT] === (present | 0) && numbers[0] === order;
    numbers[0] = order;
    numbers[CELLS_KEPT] = present;
    ends[CELLS_KEPT] = at;
  }
  while (present) {
    if (kept && !(index & 1)) {
      pair++;
      began = ended;
      ended = ends[pair] as number;
      voltages = view.getInt32(index + index + VOLTAGES);
      resistances = view.getInt32(index + index + WIRE_RESISTANCES);
      if (isKnown && numbers[pair] === voltages && numbers[pair + PAIRS] === resistances) {
        if (from < 0) from = began;
        ends[pair] = at + ended - from;
        index += 2;
        present >>>= 2;
        continue;
      }
      numbers[pair] = voltages;
      numbers[pair + PAIRS] = resistances;
      if (from >= 0) at = kept.copy(into, at, from, began);
      from = -1;
    }
    if (present & 1) {
      head = encoder.encode(CELL_HEADS[index] as string);
      if (at === start) head = head.subarray(END_BYTES);
      end = at + head.length;
      if (end <= limit) into.set(head, at);
      voltage = view.getUint16(VOLTAGES + 2 * index, littleEndian);
      if (published) voltage = held(published, index, voltage, CELL_VOLTS.deadBand);
      at = writeDecimal(into, end, voltage, CELL_VOLTS.decimals);
      end = at + WIRE_RESISTANCE.length;
      if (end <= limit) into.set(WIRE_RESISTANCE, at);
      at = writeDecimal(into, end, view.getUint16(WIRE_RESISTANCES + 2 * index, littleEndian), 0);
    }
    if (kept) ends[pair] = at;
    index++;
    present >>>= 1;
  }
  if (kept && from >= 0) at = kept.copy(into, at, from, ended);
  if (at === start) return at;
  into[at] = CLOSE;
  return at + 1;
}
