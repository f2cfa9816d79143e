/** GET /api/bms/status. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { writeStatus } from "../catalogue/document";
import { writeConditions, type Told } from "./conditions";
import type { Context } from "./context";
import { reply, SUCCESS } from "./replies";

export function getStatus(context: Context<Told>, exchange: Exchange): void {
  reply(context, exchange, 200, writeDocument);
}

function writeDocument(json: JsonWriter, { device, pack }: Context<Told>): void {
  const { telemetryAge } = pack;
  json.members(SUCCESS).open("data");
  writeStatus(json, pack);
  if (telemetryAge === undefined) json.null("ageSeconds");
  else json.integer("ageSeconds", telemetryAge);
  json.openArray("conditions");
  writeConditions(json, device, pack);
  json.closeArray().close();
}
