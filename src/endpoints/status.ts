/** GET /api/bms/status. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { REST, writeStatus } from "../catalogue/document";
import type { Context } from "./context";
import { replyKept, SUCCESS } from "./replies";

export function getStatus(context: Context<"monitor">, exchange: Exchange): void {
  replyKept(context, exchange, context.status, stateOf, writeDocument);
}

/** Ages up to this many seconds are distinct; a double has enough bits left for the revision. */
const AGES = 2 ** 16;

/** The document shows the pack and the data's age: it changes only with a new revision of the monitor or with each second. */
function stateOf({ device }: Context<"monitor">): number | undefined {
  const { revision, telemetryAge = -1 } = device.monitor;
  return revision === undefined || telemetryAge >= AGES - 1 ? undefined : revision * AGES + telemetryAge + 1;
}

function writeDocument(json: JsonWriter, { device: { monitor }, status, pack }: Context<"monitor">): void {
  const shown = pack ?? monitor;
  const { telemetryAge } = shown;
  json.members(SUCCESS).open("data");
  writeStatus(json, shown, REST, status);
  if (telemetryAge === undefined) json.null("ageSeconds");
  else json.integer("ageSeconds", telemetryAge);
  json.close();
}
