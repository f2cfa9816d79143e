/** GET /api/bms/config, and GET /api/bms/setup with all that is set in the pack. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { LAST_KNOWN, REST, writeConfiguration } from "../catalogue/document";
import { writeSetup } from "../catalogue/setup";
import type { Context } from "./context";
import { fail, reply, SUCCESS } from "./replies";

const OFFLINE = "BMS indisponivel.";
const NOT_LOADED = "The BMS setup frame is not loaded yet. Retry after the next BMS read cycle.";

export const getConfiguration = (context: Context, exchange: Exchange): void =>
  answer(context, exchange, (json, { dialect, pack }) =>
    writeConfiguration(json, pack, dialect.unmeasured === null ? LAST_KNOWN : REST),
  );

export const getSetup = (context: Context, exchange: Exchange): void =>
  answer(context, exchange, (json, { pack }) => writeSetup(json, pack));

/** `write` writes what is known once the settings have been read, behind their age. */
export function answer(
  context: Context,
  exchange: Exchange,
  write: (json: JsonWriter, context: Context) => void,
): void {
  const { dialect, pack } = context;
  if (!pack.online) return fail(context, exchange, 503, dialect.error("offline", OFFLINE));
  if (!pack.configurationLoaded) return fail(context, exchange, 503, dialect.error("not-loaded", NOT_LOADED));
  reply(context, exchange, 200, (json) => {
    json.members(SUCCESS).open("data").integer("ageSeconds", pack.setupAge);
    write(json, context);
    json.close();
  });
}
