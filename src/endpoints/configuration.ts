/** GET /api/bms/config. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { LAST_KNOWN, REST, writeConfiguration } from "../catalogue/document";
import type { Context } from "./context";
import { fail, reply, SUCCESS } from "./replies";

const OFFLINE = "BMS indisponivel.";
const NOT_LOADED = "The BMS setup frame is not loaded yet. Retry after the next BMS read cycle.";

export function getConfiguration(context: Context, exchange: Exchange): void {
  const { dialect, pack } = context;
  if (!pack.online) fail(context, exchange, 503, dialect.error("offline", OFFLINE));
  else if (!pack.configurationLoaded) fail(context, exchange, 503, dialect.error("not-loaded", NOT_LOADED));
  else reply(context, exchange, 200, writeDocument);
}

function writeDocument(json: JsonWriter, { dialect, pack }: Context): void {
  json.members(SUCCESS).open("data").integer("ageSeconds", pack.setupAge);
  writeConfiguration(json, pack, dialect.unmeasured === null ? LAST_KNOWN : REST);
  json.close();
}
