/** Outcome of a write in the page's language, from the device's codes (src/bms/write-report.ts). */
import type { WriteReport } from "../src/bms/outcomes";
import { COMMANDS, SETTINGS } from "./tables";
import type { Texts } from "./texts/en";

/** Title and value of the command or setting: "Charging: off". */
export const writeText = ({ name, value }: WriteReport, t: Texts): string =>
  `${titleOf(name, t) ?? name}: ${valueText(value, t)}`;

/** "Confirmed by the BMS." */
export const endingText = ({ outcome, detail }: WriteReport, t: Texts): string =>
  t.outcomes[outcome](valueText(detail, t));

export function titleOf(name: string, words: Pick<Texts, "commands" | "settings">): string | undefined {
  const command = COMMANDS.find((row) => row === name);
  if (command) return words.commands[command].title;
  const setting = SETTINGS.find((row) => row.name === name);
  return setting && words.settings[setting.name].title;
}

/** "on", "3.65 V", "16 cells", "\"Pack 1\"". */
function valueText(value: string, words: Texts): string {
  if (value === "on") return words.common.on.toLowerCase();
  if (value === "off") return words.common.off.toLowerCase();
  if (value.startsWith('"')) return value;
  return value.replace(".", words.decimal).replace("cells", words.units.cells);
}
