/** Validates client input for parameters against their table. */
import { lowerCase } from "ascii/case";
import { decimalText } from "json/decimal";
import { numberToUnits, parseDecimal } from "./decimal";
import type { Range, ParameterRow } from "./parameters";

/** Input types: all JSON scalars except null. */
export type Given = string | number | boolean;

export const isGiven = (value: unknown): value is Given =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

const FIRST_PRINTABLE = 0x20;
const LAST_PRINTABLE = 0x7e;
const BLANK = 0x20;

/**
 * Converts to the raw register value (a number, or the text), rounding half away from zero to the register's
 * resolution.
 * @returns undefined if invalid; `rangeMessage` gives the reason.
 */
export function toRaw(row: ParameterRow, given: Given): number | string | undefined {
  const { kind, min, max, decimals } = row.quantity;
  switch (kind) {
    case "boolean":
      return switchToRaw(given);
    case "text":
      return typeof given === "string" && isName(given, row.quantity) ? given : undefined;
    case "integer":
    case "number": {
      const range = { min, max, decimals, exact: kind === "integer" };
      if (typeof given === "string") return parseDecimal(given, range);
      return typeof given === "number" ? numberToUnits(given, range) : undefined;
    }
  }
}

/** What the parameter accepts, as a sentence with its name, range and unit. */
export function rangeMessage({ name, quantity: { kind, min, max, decimals, unit } }: ParameterRow): string {
  switch (kind) {
    case "boolean":
      return `${name} must be on or off, true or false, 1 or 0.`;
    case "text":
      return `${name} must be ${min} to ${max} printable ASCII ${unit}, not all blanks.`;
    case "integer":
      return `${name} must be an integer from ${min} to ${max} ${unit}.`;
    case "number":
      return `${name} must be a number from ${decimalText(min, decimals)} to ${decimalText(max, decimals)} ${unit}.`;
  }
}

/**
 * Accepts on, off, true, false, 1, 0 in any case with surrounding whitespace, a boolean, or the numbers 1 and 0.
 * @returns undefined for anything else.
 */
export function parseSwitch(given: unknown): boolean | undefined {
  switch (typeof given === "string" ? lowerCase(given.trim()) : given) {
    case "on":
    case "true":
    case "1":
    case true:
    case 1:
      return true;
    case "off":
    case "false":
    case "0":
    case false:
    case 0:
      return false;
    default:
      return undefined;
  }
}

function switchToRaw(given: Given): 0 | 1 | undefined {
  const state = parseSwitch(given);
  if (state === undefined) return undefined;
  return state ? 1 : 0;
}

function isName(text: string, { min, max }: Range): boolean {
  if (text.length < min || text.length > max) return false;
  let blank = true;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < FIRST_PRINTABLE || code > LAST_PRINTABLE) return false;
    if (code !== BLANK) blank = false;
  }
  return !blank;
}
