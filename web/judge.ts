/** Judges what a person typed for a setting of the BMS, by the firmware's own rules. */
import { decimalText, parseDecimal } from "../src/catalogue/decimal";
import type { SettingRow } from "./tables";

/** What goes into the request; undefined: the BMS's range refuses it. */
export function judgeSetting(row: SettingRow, typed: string): string | undefined {
  if (row.kind === "text")
    return typed.length >= row.min && typed.length <= row.max && /^[ -~]*$/.test(typed) && typed.trim()
      ? typed
      : undefined;
  const text = plainNumber(typed);
  const { min, max, decimals } = row;
  return parseDecimal(text, { min, max, decimals, exact: row.kind === "integer" }) === undefined ? undefined : text;
}

/** A number as typed in any of the languages, with a dot. */
export const plainNumber = (typed: string): string => typed.trim().replace(",", ".").replace("\u2212", "-");

/** Ends of a setting's range as decimal numbers. */
export function bounds({ min, max, decimals }: SettingRow): [number, number] {
  return [Number(decimalText(min, decimals)), Number(decimalText(max, decimals))];
}
