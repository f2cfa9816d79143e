import type { Exchange, HeaderLine } from "http-server/types";
import type { JsonWriter } from "json/writer";
import type { Value } from "../catalogue/row";
import type { Context } from "./context";

export const JSON_TYPE = "application/json";

/** First member of every successful answer. */
export const SUCCESS = '"success":true';

type Write<Needed extends Context> = (json: JsonWriter, context: Needed) => void;

/** Renders the JSON object whose members `write` writes. Returns its length. */
function render<Needed extends Context>(context: Needed, into: Uint8Array, write: Write<Needed>): number {
  const json = context.device.json.begin(into).open();
  write(json, context);
  return json.close().end();
}

/** Answers with a JSON object, whose members `write` writes once the server has room for it. */
export function reply<Needed extends Context>(
  context: Needed,
  exchange: Exchange,
  status: number,
  write: Write<Needed>,
  headers: readonly HeaderLine[] = context.dialect.headers,
): void {
  exchange.respond(status, JSON_TYPE, (into) => render(context, into, write), headers);
}

/** Answers with the failure envelope: `success` false and `error`. */
export function fail(
  context: Context,
  exchange: Exchange,
  status: number,
  error: string,
  headers?: readonly HeaderLine[],
): void {
  reply(context, exchange, status, (json) => json.boolean("success", false).string("error", error), headers);
}

/** Writes a member that is null while it is unknown, which a sum of something unknown is too, and a limit that is none. */
export function put(json: JsonWriter, name: string, value: Value | undefined, decimals = 0): void {
  if (typeof value === "string") json.string(name, value);
  else if (Number.isFinite(value)) json.decimal(name, value as number, decimals);
  else json.null(name);
}
