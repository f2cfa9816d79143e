/** GET /api/bms/status. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import type { Context } from "./context";
import { NAMES, SUCCESS } from "./names";
import { reply } from "./replies";

export function getStatus(context: Context, exchange: Exchange): void {
  reply(context, exchange, 200, writeStatus);
}

function writeStatus(json: JsonWriter, { monitor, writeStatus }: Context): void {
  json.members(SUCCESS).open(NAMES.data);
  writeStatus(json, monitor);
  json.close();
}
