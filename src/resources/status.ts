/** GET /api/bms/status. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import type { Context } from "./context";
import { NAMES, SUCCESS } from "./names";
import { replyKept } from "./replies";

export function getStatus(context: Context, exchange: Exchange): void {
  replyKept(context, exchange, context.status, stateOf, writeStatus);
}

/** Ages are told apart up to so many seconds; it leaves a double enough bits for the revision. */
const AGES = 2 ** 16;

/** It shows the pack and how old that is: the same for everybody until the monitor has something new, or another second has passed. */
function stateOf({ monitor: { revision, telemetryAge = -1 } }: Context): number | undefined {
  return revision === undefined || telemetryAge >= AGES - 1 ? undefined : revision * AGES + telemetryAge + 1;
}

function writeStatus(json: JsonWriter, context: Context): void {
  const { monitor } = context;
  const { telemetryAge } = monitor;
  json.members(SUCCESS).open(NAMES.data);
  context.writeStatus(json, monitor);
  if (telemetryAge === undefined) json.null(NAMES.ageSeconds);
  else json.integer(NAMES.ageSeconds, telemetryAge);
  json.close();
}
