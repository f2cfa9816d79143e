/** GET /api/bms/status. */
import type { Exchange } from "http-server/types";
import type { Context } from "./context";
import { NAMES, SUCCESS } from "./names";
import { JSON_TYPE } from "./replies";

export function getStatus(context: Context, exchange: Exchange): void {
  exchange.respond(200, JSON_TYPE, (into) => writeStatus(context, into), context.face.headers);
}

/** It shows the pack and nothing else: the same for everybody until the monitor has something new. */
function writeStatus(context: Context, into: Uint8Array): number {
  const { json, monitor, status } = context;
  const { revision } = monitor;
  const kept = status?.copy(into, revision) ?? 0;
  if (kept) return kept;
  json.begin(into).open().members(SUCCESS).open(NAMES.data);
  context.writeStatus(json, monitor);
  const length = json.close().close().end();
  status?.keep(into, length, revision);
  return length;
}
