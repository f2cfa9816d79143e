/** In place of bms-log.ts on a board that does not read the BMS's own log. */
import type { Exchange } from "http-server/types";
import type { Context } from "./context";
import { fail } from "./replies";

export const getLog = (context: Context, exchange: Exchange): void => fail(context, exchange, 404, "Not found.");
