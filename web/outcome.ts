/** The monitor's sentence about the last write ("cell_ovp_voltage 3.65 V: confirmed by the BMS."), in the reader's language. */
import { COMMANDS, SETTINGS } from "./tables";
import type { Texts } from "./texts/en";

export interface Outcome {
  /** The written command or setting in words, with its value: "Charging off". */
  readonly write: string;
  /** How it ended. */
  readonly ending: string;
}

/** A text in quotes may hold a colon. */
const SENTENCE = /^(\w+) (".*"|[^":]+): (.+)$/;
const REFUSED = /^refused by the BMS, exception (\d+) /;
const READ_BACK = /^acknowledged, but not applied: read back (on|off|".*"|\S+ [^\s.]+)\.$/;
const NOT_APPLIED = "acknowledged, but not applied.";
/** The log cuts long lines off; so many characters of an ending tell it from all others. */
const ENOUGH = 24;

/** What cannot be read is passed on as it is. */
export function readOutcome(text: string, words: Texts): Outcome {
  const [, name = "", value = "", end = ""] = SENTENCE.exec(text) ?? [];
  const title = titleOf(name, words);
  if (!title) return { write: "", ending: text };
  return { write: `${title}: ${valueText(value, words)}`, ending: ending(end, words) };
}

export function titleOf(name: string, words: Texts): string | undefined {
  const command = COMMANDS.find((row) => row === name);
  if (command) return words.commands[command].title;
  const setting = SETTINGS.find((row) => row.name === name);
  return setting && words.settings[setting.name].title;
}

/** "on", "3.65 V", "16 cells", "\"Pack 1\"". */
function valueText(value: string, words: Texts): string {
  if (value === "on") return words.common.on.toLowerCase();
  if (value === "off") return words.common.off.toLowerCase();
  return value.endsWith(" cells") ? value.replace("cells", words.units.cells) : value;
}

function ending(text: string, words: Texts): string {
  const known: Readonly<Record<string, string>> = words.outcomes;
  if (Object.hasOwn(known, text)) return known[text] as string;
  const refused = REFUSED.exec(text);
  if (refused) {
    const exceptions: Readonly<Record<string, string>> = words.exceptions;
    const code = refused[1] as string;
    return words.outcome.refused(code, exceptions[code] ?? words.common.unknown);
  }
  const readBack = READ_BACK.exec(text);
  if (readBack) return words.outcome.readBack(valueText(readBack[1] as string, words));
  // Of a value that was cut off nothing is shown.
  if (text.startsWith(NOT_APPLIED.slice(0, -1))) return words.outcomes[NOT_APPLIED];
  const whole = text.length >= ENOUGH && Object.keys(known).find((one) => one.startsWith(text));
  return whole ? (known[whole] as string) : text;
}
