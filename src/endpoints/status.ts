/** GET /api/bms/status. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { writeStatus } from "../catalogue/document";
import type { Context } from "./context";
import { reply, SUCCESS } from "./replies";

export function getStatus(context: Context, exchange: Exchange): void {
  reply(context, exchange, 200, writeDocument);
}

function writeDocument(json: JsonWriter, { pack }: Context): void {
  const { telemetryAge } = pack;
  json.members(SUCCESS).open("data");
  writeStatus(json, pack);
  if (telemetryAge === undefined) json.null("ageSeconds");
  else json.integer("ageSeconds", telemetryAge);
  json.close();
}
