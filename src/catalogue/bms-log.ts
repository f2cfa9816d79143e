/** The BMS's own log: the names of its codes (docs/jk-modbus.md, "System log"), and its document. */
import { runtime } from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { logTotal, visitLog } from "jk-bms/system-log";
import { TELEMETRY } from "jk-bms/types";
import type { JsonWriter } from "json/writer";
import { ALARMS_TABLE } from "./alarms";
import type { Pack } from "./pack";
import { lastBlock } from "./read";

/** Whether this board reads the BMS's log. */
export const READS_LOG = true;

/** Of codes 1 to 73; a number is a row of ALARMS_TABLE, and begins with a minus sign where it is released. */
const NAMES =
  "start off app_charging_off app_charging_on app_discharging_off app_discharging_on remote_charging_off remote_charging_on remote_discharging_off remote_discharging_on 1 -1 3 -3 10 -10 29 -29 5 -5 6 -6 7 -7 8 -8 9 -9 11 -11 12 -12 13 -13 14 -14 15 -15 watchdog discharge_short_circuit_2 emergency_on emergency_off emergency_over app_off button_off 20 rs485_off can_charging_off can_charging_on can_discharging_off can_discharging_on rs485_charging_off rs485_charging_on rs485_discharging_off rs485_discharging_on sleep 16 17 clock_set 2 button_emergency_on button_emergency_off button_heating 25 26 24 preset_liion preset_lfp preset_lto remote_emergency_on remote_emergency_off 27 -27 ";

/** From these on: the cell over-charged, over-discharged. */
const OVER_CHARGED = 100;
const OVER_DISCHARGED = 200;
const CELLS = 32;

/** The name of a code: an alarm's, with _released behind it where it is over, a cell's, or an event's; empty: unknown. */
export function logEvent(code: number): string {
  if (code >= OVER_CHARGED) {
    const isLow = code >= OVER_DISCHARGED;
    const cell = code - (isLow ? OVER_DISCHARGED : OVER_CHARGED);
    return cell < CELLS ? `cell_${cell + 1}_${isLow ? "overdischarged" : "overcharged"}` : "";
  }
  // Looked for and not split: an array of the names would take memory that may not be there.
  let at = 0;
  for (let left = code - 1; left > 0 && at < NAMES.length; left--) at = NAMES.indexOf(" ", at) + 1;
  const name = code ? NAMES.slice(at, NAMES.indexOf(" ", at)) : "";
  const bit = Math.abs(parseInt(name));
  const alarm = ALARMS_TABLE[bit];
  return alarm ? alarm.name + (name === `${bit}` ? "" : "_released") : name;
}

/** Writes the members of data of GET /api/bms/log, the newest entry first. @param log LOG_BYTES as they were read @param age seconds since then */
export function writeLog(json: JsonWriter, pack: Pack, log: Uint8Array, age: number): void {
  const image = lastBlock(pack, TELEMETRY);
  json.integer("ageSeconds", age);
  if (image) json.integer("uptime", readRaw(image, runtime));
  else json.null("uptime");
  json.integer("total", logTotal(log)).openArray("entries");
  visitLog(log, (uptime, code) =>
    json.open().integer("uptime", uptime).integer("code", code).string("event", logEvent(code)).close(),
  );
  json.closeArray();
}
