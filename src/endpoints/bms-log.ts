/** GET /api/bms/log: the BMS's own log. */
import type { Exchange } from "http-server/types";
import { writeLog } from "../catalogue/bms-log";
import type { Context } from "./context";
import { fail, reply, SUCCESS } from "./replies";

const NOT_READ =
  "The log of the BMS has not been read yet: it is once the BMS is online, unless another master is on the bus.";

export function getLog(context: Context, exchange: Exchange): void {
  const { dialect, pack } = context;
  // Held here: the way to the BMS may be closed before the answer is written.
  const { systemLog, systemLogAge } = pack;
  if (!systemLog) return fail(context, exchange, 503, dialect.error("not-loaded", NOT_READ));
  reply(context, exchange, 200, (json) => {
    json.members(SUCCESS).open("data");
    writeLog(json, pack, systemLog, systemLogAge);
    json.close();
  });
}
