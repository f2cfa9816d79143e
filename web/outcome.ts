/** Outcome of a write in the page's language, from the device's codes (src/bms/write-report.ts). */
import type { WriteReport } from "../src/bms/outcomes";
import { MINUS } from "./format";
import { COMMANDS, PARAMETERS } from "./tables";
import type { Texts } from "./texts/en";

/** Of every setting in volts. */
const VOLT_DECIMALS = 3;

/** Title and value of the command or parameter: "Charging: off". */
export const writeText = ({ name, value, unit }: WriteReport, t: Texts): string =>
  `${titleOf(name, t) ?? name}: ${valueText(value, unit, t)}`;

/** "Confirmed by the BMS." */
export const endingText = ({ outcome, detail, unit }: WriteReport, t: Texts): string =>
  t.outcomes[outcome](outcome.startsWith("refused") ? detail : valueText(detail, unit, t));

export function titleOf(name: string, words: Pick<Texts, "commands" | "parameters">): string | undefined {
  const command = COMMANDS.find((row) => row === name);
  if (command) return words.commands[command].title;
  const parameter = PARAMETERS.find((row) => row.name === name);
  return parameter && words.parameters[parameter.name].title;
}

/** The own member called `name`; undefined for any other name, inherited ones included. */
export function known<T extends object>(words: T, name: string): T[keyof T] | undefined {
  return Object.hasOwn(words, name) ? words[name as keyof T] : undefined;
}

/** A unit of the device's tables in the page's language. */
export const unitText = (unit: string, t: Texts): string => known(t.units, unit) ?? unit;

/** "on", "3.650 V" as it was typed, "16 cells", "\"Pack 1\""; empty for none. */
export function valueText(value: string, unit: string, t: Texts): string {
  if (value === "on" || value === "off") return t.common[value].toLowerCase();
  if (!unit || !value) return value;
  const number = unit === "V" ? Number(value).toFixed(VOLT_DECIMALS) : value;
  return `${number.replace("-", MINUS).replace(".", t.decimal)} ${unitText(unit, t)}`;
}
