/** What is known of a pack: the one rule behind every interface. Undefined is never 0: only REST has to say 0 for it. */
import { readRaw, readText, type Field } from "jk-bms/fields";
import { isOnline } from "./computed";
import { imageOf, type Pack } from "./pack";
import type { Row, Value } from "./row";

/**
 * A row's value as it is now: a number in units of 10 ** -decimals of its quantity. Undefined while the BMS is offline, when its block was
 * never read, its probe is absent or switched off, or the BMS does not tell it.
 */
export function read(row: Row, pack: Pack): Value | undefined {
  return pack.online || row.source === isOnline ? readLast(row, pack) : undefined;
}

/** The same as it was last told, however old: for who says how old it is. */
export function readLast({ source, quantity: { kind } }: Row, pack: Pack): Value | undefined {
  if (typeof source === "function") return source(pack);
  const image = imageOf(pack, source);
  if (!image.valid) return undefined;
  // A text that is empty tells nothing.
  if (kind === "text") return readText(image, source) || undefined;
  const raw = readRaw(image, source);
  return kind === "boolean" ? raw !== 0 : raw;
}

/** A numeric field as it is now, in units of 10 ** -field.decimals. */
export function readNumber(field: Field, pack: Pack): number | undefined {
  if (!pack.online) return undefined;
  const image = imageOf(pack, field);
  return image.valid ? readRaw(image, field) : undefined;
}
