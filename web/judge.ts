/** Judges what a person typed for a setting of the BMS, by the firmware's own rules. */
import { decimalText, parseDecimal } from "../src/catalogue/decimal";
import { plain, type Language } from "./format";
import type { SettingRow } from "./tables";

/** What goes into the request; undefined: the BMS's range refuses it. */
export function judgeSetting(row: SettingRow, typed: string, language: Language): string | undefined {
  if (row.kind === "text")
    return typed.length >= row.min && typed.length <= row.max && /^[ -~]*$/.test(typed) && typed.trim()
      ? typed
      : undefined;
  const text = plainNumber(typed, language);
  const { min, max, decimals } = row;
  return parseDecimal(text, { min, max, decimals, exact: row.kind === "integer" }) === undefined ? undefined : text;
}

/**
 * What may be meant as thousands set apart, as the language does (1,000 in English, 1.000 in Portuguese): three digits or more behind the
 * separator. With fewer, or behind a 0, it can only be a fraction, typed with the separator of the other language.
 */
const GROUPED = Object.freeze({ en: /^[+-]?0*[1-9]\d*,\d{3}/, pt: /^[+-]?0*[1-9]\d*\.\d{3}/ });

/** A number as typed, with a dot; empty for one with thousands set apart, which could be taken for a fraction. */
export function plainNumber(typed: string, language: Language): string {
  const text = typed.trim().replace("\u2212", "-");
  return GROUPED[language].test(text) ? "" : text.replace(",", ".");
}

/** A number of a document as it stands in a field. */
export const fieldNumber = (value: unknown, language: Language): string =>
  language === "pt" && typeof value === "number" ? String(value).replace(".", ",") : plain(value);

/** Ends of a setting's range as decimal numbers. */
export function bounds({ min, max, decimals }: SettingRow): [number, number] {
  return [Number(decimalText(min, decimals)), Number(decimalText(max, decimals))];
}
