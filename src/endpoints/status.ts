/** GET /api/bms/status. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { writeStatus } from "../catalogue/document";
import type { Context } from "./context";
import { replyCached, SUCCESS } from "./replies";

export function getStatus(context: Context, exchange: Exchange): void {
  replyCached(context, exchange, context.status, stateOf, writeDocument);
}

/** Ages up to this many seconds are distinct; a double has enough bits left for the revision. */
const AGES = 2 ** 16;

/** The document shows the pack and the data's age: it changes only with a new revision of the pack or with each second. */
function stateOf({ pack }: Context): number {
  const { revision, telemetryAge = -1 } = pack;
  return telemetryAge < AGES - 1 ? revision * AGES + telemetryAge + 1 : NaN;
}

function writeDocument(json: JsonWriter, { pack }: Context): void {
  const { telemetryAge } = pack;
  json.members(SUCCESS).open("data");
  writeStatus(json, pack);
  if (telemetryAge === undefined) json.null("ageSeconds");
  else json.integer("ageSeconds", telemetryAge);
  json.close();
}
