/** /web/status: the last known status, null for values never received, plus what only the page shows. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { ALARMS_TABLE, releaseOf } from "../catalogue/alarms";
import { COMMANDS_TABLE, readLastSwitch } from "../catalogue/commands";
import * as sets from "../conditions/set";
import { DEVICE, DEVICE_NOTICES, deviceCodes, writeConcerns } from "../conditions/table";
import { LAST_KNOWN, WITHOUT_SERIAL, writeRows, writeStatus } from "../catalogue/document";
import type { Pack } from "../catalogue/pack";
import { OUTPUT_TABLE } from "../catalogue/telemetry";
import { packAt } from "../endpoints/packs";
import { fail, reply } from "../endpoints/replies";
import type { WebContext } from "./context";

/** `?pack=`: of the pack at that address; without it, of the first. */
export function getStatus(context: WebContext<"monitor" | "conditions">, exchange: Exchange): void {
  const { conditions, monitor } = context.device;
  const { query } = exchange;
  const { packs } = monitor;
  const pack = query ? packAt(monitor, query, "pack=") : context.pack;
  if (!pack) return fail(context, exchange, 404, "There is no such pack.");
  reply(context, exchange, 200, (json) => {
    json.boolean("success", true).open("data");
    writeStatus(json, pack, context.byLink ? WITHOUT_SERIAL : LAST_KNOWN);
    json.close().open("bms");
    writeRows(json, pack, OUTPUT_TABLE, LAST_KNOWN);
    const { age } = pack;
    if (age === undefined) json.null("age");
    else json.decimal("age", age, 3);
    json.string("noReply", pack.noReply ?? "");
    writeSwitches(json, pack);
    writeReleases(json, pack);
    // What the page shows beside a pack: the others.
    json.integer("packs", packs.length);
    // Of one that is lost as last known.
    writeConcerns(json, sets.plus(pack.concerns, pack.kept));
    // What the page says below all that is of packs.
    const ofDevice = conditions.presentOf(DEVICE);
    json
      .close()
      .open("device")
      .boolean("well", sets.without(ofDevice, DEVICE_NOTICES) === sets.NONE);
    json.strings("concerns", deviceCodes(ofDevice)).close();
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

/** Writes when each protection is released whose countdown runs, s. */
function writeReleases(json: JsonWriter, pack: Pack): void {
  json.open("releases");
  for (const row of ALARMS_TABLE) {
    const seconds = releaseOf(pack, row);
    if (seconds) json.integer(row.name, seconds);
  }
  json.close();
}
