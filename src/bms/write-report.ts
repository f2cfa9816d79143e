/** How a write ended: as codes, and as the sentence of `lastCommand`. */
import type { WriteResult } from "jk-bms/types";
import { decimalText } from "json/decimal";
import type { CommandRow } from "../catalogue/commands";
import type { ParameterRow } from "../catalogue/parameters";
import { MAX_SENTENCE } from "./limits";
import type { Origin, WriteReport } from "./outcomes";

/** A queued write: its table row and the raw value. */
export type Write = { readonly origin?: Origin | undefined } & (
  | { readonly command: CommandRow; readonly parameter?: undefined; readonly value: 0 | 1 }
  | { readonly command?: undefined; readonly parameter: ParameterRow; readonly value: number | string }
);

/** How a write ended: the link's result, or an outcome without one. */
export type Ending = WriteResult | { readonly outcome: "lost" | "timeout" | "failed" };

/** `pack`: its address, where there are several. */
export function reportOf(write: Write, ending: Ending, pack?: number): WriteReport {
  const { outcome } = ending;
  const value = valueText(write, write.value);
  let detail = "";
  if (outcome === "refused" || outcome === "refused-applied") detail = String(ending.exception ?? 0);
  else if (outcome === "no-reply-applied" || outcome === "unidentified") detail = value;
  else if ("readBack" in ending && ending.readBack !== undefined) detail = valueText(write, ending.readBack);
  const { name } = write.command ?? write.parameter;
  return { name, value, unit: unitOf(write), outcome, detail, origin: write.origin, pack };
}

/** "cell_ovp_voltage 3.65 V: confirmed by the BMS.", of several packs "Pack 2: cell…"; at most MAX_SENTENCE characters. */
export const sentenceOf = (report: WriteReport): string =>
  `${report.pack === undefined ? "" : `Pack ${report.pack}: `}${report.name} ${withUnit(report.value, report)}: ${endingText(report)}`.slice(
    0,
    MAX_SENTENCE,
  );

/** "Unknown" outcomes: the BMS may have applied the write. */
function endingText(report: WriteReport): string {
  const { outcome, detail, value } = report;
  const held = withUnit(detail, report);
  switch (outcome) {
    case "confirmed":
      return "confirmed by the BMS.";
    case "refused":
      return `refused by the BMS, exception ${detail} (${exceptionName(detail)}).`;
    case "refused-applied":
      return `refused by the BMS, exception ${detail} (${exceptionName(detail)}), but it holds ${withUnit(value, report)}.`;
    case "not-applied":
      return `acknowledged, but not applied: read back ${held}.`;
    case "unverified":
      return "acknowledged, but it could not be read back.";
    case "no-reply":
      return "no confirming reply; the outcome is unknown.";
    case "no-reply-applied":
      return `no confirming reply; the BMS holds ${held}, as asked.`;
    case "no-reply-not-applied":
      return `no confirming reply; the BMS holds ${held}.`;
    case "mismatch":
      return `the reply does not match the write; ${detail ? `the BMS holds ${held}` : "the outcome is unknown"}.`;
    case "not-sent":
      return "not sent: the BMS did not answer.";
    case "not-sent-busy":
      return "not sent: the line was busy, or was closed.";
    case "not-sent-other":
      return "not sent: another pack answers at this address.";
    case "unidentified":
      return `read back as ${held}, but its serial number could not be read afterwards.`;
    case "exchanged":
      return "another pack answers at this address since; the outcome is unknown.";
    case "lost":
      return "connection to the BMS lost; the outcome is unknown.";
    case "timeout":
      return "no result in time; the outcome is unknown.";
    case "failed":
      return "failed inside the monitor; the outcome is unknown.";
  }
}

/** Modbus Application Protocol V1.1b3, section 7. */
function exceptionName(code: string): string {
  switch (code) {
    case "1":
      return "illegal function";
    case "2":
      return "illegal data address";
    case "3":
      return "illegal data value";
    case "4":
      return "server device failure";
    case "5":
      return "acknowledge";
    case "6":
      return "server device busy";
    default:
      return "unknown";
  }
}

function valueText({ parameter }: Write, value: number | string): string {
  if (typeof value === "string") return parameter?.quantity.kind === "text" ? `"${printable(value)}"` : value;
  if (!parameter || parameter.quantity.kind === "boolean") return value ? "on" : "off";
  return decimalText(value, parameter.quantity.decimals);
}

const unitOf = ({ parameter }: Write): string =>
  parameter && parameter.quantity.kind !== "text" && parameter.quantity.kind !== "boolean"
    ? parameter.quantity.unit
    : "";

const withUnit = (text: string, { unit }: WriteReport): string => (unit ? `${text} ${unit}` : text);

/** Text from the BMS may contain any bytes. */
function printable(text: string): string {
  let result = "";
  for (let index = 0; index < text.length && index < 16; index++) {
    const code = text.charCodeAt(index);
    result += code >= 0x20 && code <= 0x7e ? text.charAt(index) : "?";
  }
  return result;
}
