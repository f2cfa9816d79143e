/**
 * What is known of a pack: the one rule behind every interface. Undefined never means 0; only REST has to substitute
 * it.
 */
import { readRaw, readText, type Field } from "jk-bms/fields";
import { isOnline } from "./computed";
import { imageOf, type Pack } from "./pack";
import type { Row, Value } from "./row";

/**
 * A row's current value; numbers are in units of 10 ** -decimals of the quantity. Undefined while the BMS is offline,
 * if the block has never been read, if the probe is absent or disabled, or if the BMS does not report the value.
 */
export function read(row: Row, pack: Pack): Value | undefined {
  return pack.online || row.source === isOnline ? readLast(row, pack) : undefined;
}

/** The last known value, however old: for callers that report its age. */
export function readLast({ source, quantity: { kind } }: Row, pack: Pack): Value | undefined {
  if (typeof source === "function") return source(pack);
  const image = imageOf(pack, source);
  if (!image.valid) return undefined;
  // An empty text means unknown.
  if (kind === "text") return readText(image, source) || undefined;
  const raw = readRaw(image, source);
  return kind === "boolean" ? raw !== 0 : raw;
}

/** The current value of a numeric field, in units of 10 ** -field.scale.decimals. */
export function readNumber(field: Field, pack: Pack): number | undefined {
  if (!pack.online) return undefined;
  const image = imageOf(pack, field);
  return image.valid ? readRaw(image, field) : undefined;
}
