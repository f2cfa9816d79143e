/** Validates input for a parameter of the BMS by the firmware's own rules. */
import { parseDecimal } from "../src/catalogue/decimal";
import { plain, type Language } from "./format";
import type { ParameterRow } from "./tables";

/** Value for the request; undefined if out of range or malformed. */
export function judgeParameter(row: ParameterRow, typed: string, language: Language): string | undefined {
  if (row.kind === "text")
    return typed.length >= row.min && typed.length <= row.max && /^[ -~]*$/.test(typed) && typed.trim()
      ? typed
      : undefined;
  const text = plainNumber(typed, language);
  const { min, max, decimals } = row;
  return parseDecimal(text, { min, max, decimals, exact: row.kind === "integer" }) === undefined ? undefined : text;
}

/**
 * Input that may contain the language's thousands separator (1,000 in English, 1.000 in Portuguese): three or more digits follow it.
 * With fewer digits, or after a 0, it can only be a decimal separator, typed as in the other language.
 */
const GROUPED = Object.freeze({ en: /^[+-]?0*[1-9]\d*,\d{3}/, pt: /^[+-]?0*[1-9]\d*\.\d{3}/ });

/** The typed number with a decimal point; empty if the separator could mean thousands. */
export function plainNumber(typed: string, language: Language): string {
  const text = typed.trim().replace("\u2212", "-");
  return GROUPED[language].test(text) ? "" : text.replace(",", ".");
}

/** A number of a document as an input field shows it. */
export const fieldNumber = (value: unknown, language: Language): string =>
  language === "pt" && typeof value === "number" ? String(value).replace(".", ",") : plain(value);

/** Limits of a parameter as decimal numbers. */
export function bounds({ min, max, decimals }: ParameterRow): [number, number] {
  return [min / 10 ** decimals, max / 10 ** decimals];
}
