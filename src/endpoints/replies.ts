import type { Exchange, HeaderLine } from "http-server/types";
import type { JsonWriter } from "json/writer";
import type { Context } from "./context";
import type { DocumentCache } from "./document-cache";

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

/**
 * Answers with a document that stays the same while `stateOf` returns the same number: it is then sent from `cache`. NaN: rendered each
 * time.
 */
export function replyCached<Needed extends Context>(
  context: Needed,
  exchange: Exchange,
  cache: DocumentCache | undefined,
  stateOf: (context: Needed) => number,
  write: Write<Needed>,
): void {
  exchange.respond(
    200,
    JSON_TYPE,
    (into) => {
      const state = stateOf(context);
      const cached = cache?.serve(into, state) ?? 0;
      if (cached) return cached;
      const length = render(context, into, write);
      cache?.store(into, length, state);
      return length;
    },
    context.dialect.headers,
  );
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
