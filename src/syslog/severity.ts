import { ALARMS_TABLE } from "../catalogue/alarms";
import { severityOf as severityOfCondition } from "../conditions/table";

/** RFC 5424 section 6.2.1. */
const CRITICAL = 2;
const ERROR = 3;
const WARNING = 4;
const NOTICE = 5;
const INFORMATIONAL = 6;

const SEVERITIES = Object.freeze({ fault: ERROR, warning: WARNING, notice: NOTICE }, true);

/** How severe an event is; `parameter`: its first one. */
export function severityOf(code: string, parameter = ""): number {
  switch (code) {
    case "alarm-raised":
      // "Fully charged" is a status.
      return ALARMS_TABLE.find(({ name }) => name === parameter)?.fault === false ? NOTICE : CRITICAL;
    case "crashed":
    case "safe-mode":
      return CRITICAL;
    case "bms-offline":
    case "pack-offline":
    case "pack-swapped":
    case "no-reply":
    case "part-failed":
      return ERROR;
    case "mqtt":
      return parameter === "connected" ? INFORMATIONAL : WARNING;
    case "condition-raised":
      return SEVERITIES[severityOfCondition(parameter)];
    case "other-master":
    case "settings":
    case "clock-doubtful":
    case "older-update":
    case "all-packs-ended":
    case "password-lost":
      return WARNING;
    case "relay-on":
    case "relay-off":
    case "write":
      return INFORMATIONAL;
    default:
      return NOTICE;
  }
}
