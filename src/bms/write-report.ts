/** The sentences of `lastCommand`. */
import type { WriteResult } from "jk-bms/types";
import type { CommandRow } from "../catalogue/commands";
import { decimalText } from "../catalogue/decimal";
import type { SettingRow } from "../catalogue/settings";
import { MAX_SENTENCE } from "./limits";

/** A write as it stands in the queue: its table row and the raw value. */
export type Write =
  | { readonly command: CommandRow; readonly setting?: undefined; readonly value: 0 | 1 }
  | { readonly command?: undefined; readonly setting: SettingRow; readonly value: number | string };

/** How a write ended: as the link told, or without the link having told anything. */
export type Ending = WriteResult | { readonly outcome: "lost" | "not-sent" | "timeout" | "failed" };

/** Modbus Application Protocol V1.1b3, section 7. */
function exceptionName(code: number): string {
  switch (code) {
    case 1:
      return "illegal function";
    case 2:
      return "illegal data address";
    case 3:
      return "illegal data value";
    case 4:
      return "server device failure";
    case 5:
      return "acknowledge";
    case 6:
      return "server device busy";
    default:
      return "unknown";
  }
}

/** "cell_ovp_voltage 3.65 V: confirmed by the BMS.", at most MAX_SENTENCE characters. */
export function report(write: Write, ending: Ending): string {
  const name = (write.command ?? write.setting).name;
  return `${name} ${valueText(write, write.value)}: ${endingText(write, ending)}`.slice(0, MAX_SENTENCE);
}

function endingText(write: Write, ending: Ending): string {
  switch (ending.outcome) {
    case "confirmed":
      return "confirmed by the BMS.";
    case "refused":
      return refusedText(ending.exception ?? 0);
    case "mismatch":
      return "the BMS's reply does not match the write.";
    case "no-reply":
      return "no reply from the BMS.";
    case "not-applied":
      return ending.readBack === undefined
        ? "acknowledged, but not applied."
        : `acknowledged, but not applied: read back ${valueText(write, ending.readBack)}.`;
    case "unverified":
      return "acknowledged, but it could not be read back.";
    case "lost":
      return "BMS lost before it was confirmed.";
    case "not-sent":
      return "not sent, the line to the BMS stayed busy.";
    case "timeout":
      return "no result in time.";
    case "failed":
      return "failed inside the monitor.";
  }
}

const refusedText = (code: number): string => `refused by the BMS, exception ${code} (${exceptionName(code)}).`;

/** "on", "3.65 V", "16 cells", "\"Pack 1\"". */
function valueText({ setting }: Write, value: number | string): string {
  if (typeof value === "string") return `"${printable(value)}"`;
  if (!setting || setting.quantity.kind === "boolean") return value ? "on" : "off";
  const { decimals, unit } = setting.quantity;
  return `${decimalText(value, decimals)} ${unit}`;
}

/** What the BMS sent may hold anything. */
function printable(text: string): string {
  let result = "";
  for (let index = 0; index < text.length && index < 16; index++) {
    const code = text.charCodeAt(index);
    result += code >= 0x20 && code <= 0x7e ? text.charAt(index) : "?";
  }
  return result;
}
