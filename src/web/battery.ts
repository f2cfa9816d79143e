/** /web/status: the last known status, null for values never received, plus what only the page shows. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { COMMANDS_TABLE, readLastSwitch } from "../catalogue/commands";
import { writeConcerns } from "../catalogue/concerns";
import { LAST_KNOWN, writeRows, writeStatus } from "../catalogue/document";
import type { Pack } from "../catalogue/pack";
import { OUTPUT_TABLE } from "../catalogue/telemetry";
import { reply } from "../endpoints/replies";
import type { WebContext } from "./context";

export function getStatus(context: WebContext<"monitor">, exchange: Exchange): void {
  reply(context, exchange, 200, (json) => {
    const { monitor } = context.device;
    json.boolean("success", true).open("data");
    writeStatus(json, monitor, LAST_KNOWN);
    json.close().open("bms");
    writeRows(json, monitor, OUTPUT_TABLE, LAST_KNOWN);
    const { age } = monitor;
    if (age === undefined) json.null("age");
    else json.decimal("age", age, 3);
    writeSwitches(json, monitor);
    writeConcerns(json, monitor.concerns);
    json.close();
  });
}

/** Writes the switches as configured. */
function writeSwitches(json: JsonWriter, pack: Pack): void {
  json.open("switches");
  for (const row of COMMANDS_TABLE) {
    const on = readLastSwitch(row, pack);
    if (on === undefined) json.null(row.name);
    else json.boolean(row.name, on);
  }
  json.close();
}
