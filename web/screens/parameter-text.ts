/** A parameter of the BMS as text. */
import { number, plain, quantity, type Language } from "../format";
import { bounds } from "../judge";
import type { ParameterRow } from "../tables";
import type { Texts } from "../texts/en";

/** A parameter's value with its unit. */
export function parameterText(row: ParameterRow, value: unknown, language: Language, t: Texts): string {
  if (value === undefined || value === null) return "–";
  if (row.kind === "boolean") return value ? t.common.on : t.common.off;
  if (row.kind === "text") return plain(value);
  return quantity(language, Number(value), row.unit === "cells" ? "" : row.unit, decimalsOf(row, Number(value)));
}

/** Capacity has one decimal, as elsewhere, unless its value needs more; all others have their register's. */
const decimalsOf = ({ name, decimals }: ParameterRow, value: number): number =>
  name === "capacity_ah" && Number(value.toFixed(1)) === value ? 1 : decimals;

export function rangeText(row: ParameterRow, language: Language, t: Texts): string {
  if (row.kind === "boolean") return `${t.common.on}, ${t.common.off}`;
  if (row.kind === "text") return t.common.characters(String(row.min), String(row.max));
  const [low, high] = bounds(row);
  const decimals = decimalsOf(row, low);
  const unit = row.unit === "cells" ? "" : row.unit;
  return t.common.range(number(language, low, decimals), quantity(language, high, unit, decimals));
}
