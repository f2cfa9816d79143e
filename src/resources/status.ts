/** GET /api/bms/status. */
import type { Exchange } from "http-server/types";
import type { Context } from "./context";
import { NAMES, SUCCESS } from "./names";
import { JSON_TYPE } from "./replies";

export function getStatus(context: Context, exchange: Exchange): void {
  exchange.respond(200, JSON_TYPE, (into) => writeStatus(context, into), context.face.headers);
}

/** Ages are told apart up to so many seconds; it leaves a double enough bits for the revision. */
const AGES = 2 ** 16;

/** It shows the pack and how old that is: the same for everybody until the monitor has something new, or another second has passed. */
function writeStatus(context: Context, into: Uint8Array): number {
  const { json, monitor, status } = context;
  const { revision, telemetryAge } = monitor;
  const age = telemetryAge ?? -1;
  const state = revision === undefined || age >= AGES - 1 ? undefined : revision * AGES + age + 1;
  const kept = status?.copy(into, state) ?? 0;
  if (kept) return kept;
  json.begin(into).open().members(SUCCESS).open(NAMES.data);
  context.writeStatus(json, monitor);
  if (age < 0) json.null(NAMES.ageSeconds);
  else json.integer(NAMES.ageSeconds, age);
  const length = json.close().close().end();
  status?.keep(into, length, state);
  return length;
}
