/** The monitor's sentence about the last write ("cell_ovp_voltage 3.65 V: confirmed by the BMS."), in the reader's language. */
import { COMMANDS, SETTINGS } from "./tables";
import type { Texts } from "./texts/en";

export interface Outcome {
  /** The written command or setting in words, with its value: "Charging off". */
  readonly write: string;
  /** How it ended. */
  readonly ending: string;
}

const REFUSED = /^refused by the BMS, exception (\d+) \((.*)\)\.$/;
const READ_BACK = /^acknowledged, but not applied: read back (.*)\.$/;

/** What cannot be read is passed on as it is. */
export function readOutcome(text: string, words: Texts): Outcome {
  const name = text.slice(0, text.indexOf(" "));
  const colon = text.indexOf(": ", name.length);
  const title = titleOf(name, words);
  if (colon < 0 || !title) return { write: "", ending: text };
  const value = switchText(text.slice(name.length + 1, colon), words);
  return { write: `${title}: ${value}`, ending: ending(text.slice(colon + 2), words) };
}

export function titleOf(name: string, words: Texts): string | undefined {
  const command = COMMANDS.find((row) => row === name);
  if (command) return words.commands[command].title;
  const setting = SETTINGS.find((row) => row.name === name);
  return setting && words.settings[setting.name].title;
}

function switchText(value: string, words: Texts): string {
  if (value === "on") return words.common.on.toLowerCase();
  return value === "off" ? words.common.off.toLowerCase() : value;
}

function ending(text: string, words: Texts): string {
  const known: Readonly<Record<string, string>> = words.outcomes;
  if (Object.hasOwn(known, text)) return known[text] as string;
  const refused = REFUSED.exec(text);
  if (refused) return words.outcome.refused(`${refused[1]}: ${refused[2]}`);
  const readBack = READ_BACK.exec(text);
  return readBack ? words.outcome.readBack(readBack[1] as string) : text;
}
