import type { Exchange, HeaderLine } from "http-server/types";
import type { JsonWriter } from "json/writer";
import type { Context } from "./context";
import { NAMES } from "./names";

export const JSON_TYPE = "application/json";

/** Answers with the JSON object whose members `write` writes, once the server has room for it. */
export function reply(
  context: Context,
  exchange: Exchange,
  status: number,
  write: (json: JsonWriter, context: Context) => void,
  headers: readonly HeaderLine[] = context.face.headers,
): void {
  exchange.respond(
    status,
    JSON_TYPE,
    (into) => {
      const json = context.json.begin(into).open();
      write(json, context);
      return json.close().end();
    },
    headers,
  );
}

/** The failure envelope: `success` false and `error`. */
export function fail(
  context: Context,
  exchange: Exchange,
  status: number,
  error: string,
  headers?: readonly HeaderLine[],
): void {
  reply(context, exchange, status, (json) => json.boolean(NAMES.success, false).string(NAMES.error, error), headers);
}
