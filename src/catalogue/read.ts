/**
 * What is known of a pack, decided here alone for every interface: a block is known once it has been read, and its values are current while
 * the BMS is online. Undefined never means 0; only REST has to substitute it.
 */
import { blockOf, readRaw, readText, type Field } from "jk-bms/fields";
import { SETUP, TELEMETRY, type BlockImage, type BlockType } from "jk-bms/types";
import { isOnline } from "./computed";
import type { Pack } from "./pack";
import type { Compute, Row, Value } from "./row";

/** The block while its values are current. */
export const currentBlock = (pack: Pack, block: BlockType): BlockImage | undefined =>
  pack.online ? lastBlock(pack, block) : undefined;

/** The block as last read, however long ago. */
export function lastBlock(pack: Pack, block: BlockType): BlockImage | undefined {
  const image = block === TELEMETRY ? pack.telemetry : block === SETUP ? pack.setup : pack.deviceInfo;
  return image.valid ? image : undefined;
}

/** The settings that something may be judged by: read since the BMS came online, and not only heard a single time. */
export const settledSetup = (pack: Pack): BlockImage | undefined =>
  pack.configurationLoaded && !pack.heardOnce ? currentBlock(pack, SETUP) : undefined;

/** The current result of `source`: of an offline BMS only that it is. */
export const currentResult = (source: Compute, pack: Pack): Value | undefined =>
  pack.online || source === isOnline ? source(pack) : undefined;

/**
 * A row's current value; numbers are in units of 10 ** -decimals of the quantity. Undefined while the BMS is offline,
 * if the block has never been read, if the probe is absent or disabled, or if the BMS does not report the value.
 */
export const read = (row: Row, pack: Pack): Value | undefined =>
  pack.online || row.source === isOnline ? readLast(row, pack) : undefined;

/** The last known value, however old: for callers that report its age. */
export function readLast({ source, quantity: { kind } }: Row, pack: Pack): Value | undefined {
  if (typeof source === "function") return source(pack);
  return valueIn(lastBlock(pack, blockOf(source)), source, kind);
}

/** The current value of a numeric field, in units of 10 ** -decimalsOf(field). */
export function readNumber(field: Field, pack: Pack): number | undefined {
  const image = currentBlock(pack, blockOf(field));
  return image && readRaw(image, field);
}

/** Of a field in its block, if that is known. */
export function valueIn(image: BlockImage | undefined, field: Field, kind: string): Value | undefined {
  if (!image) return undefined;
  // An empty text means unknown.
  if (kind === "text") return readText(image, field) || undefined;
  const raw = readRaw(image, field);
  return kind === "boolean" ? raw !== 0 : raw;
}
