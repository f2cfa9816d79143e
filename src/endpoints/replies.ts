import type { Exchange, HeaderLine } from "http-server/types";
import type { JsonWriter } from "json/writer";
import type { Context } from "./context";
import type { Rendered } from "./rendered";

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

/** Brings the old document of `document` up to `state` in place, with `into` to write in. False: it has to be written whole. */
type Revise<Needed extends Context> = (document: Rendered, into: Uint8Array, context: Needed, state: number) => boolean;

/**
 * Answers with a document that stays the same while `stateOf` returns the same number: `document` caches it. Undefined: rendered each time.
 */
export function replyKept<Needed extends Context>(
  context: Needed,
  exchange: Exchange,
  document: Rendered | undefined,
  stateOf: (context: Needed) => number | undefined,
  write: Write<Needed>,
  revise?: Revise<Needed>,
): void {
  exchange.respond(
    200,
    JSON_TYPE,
    (into) => {
      const state = stateOf(context);
      const kept = document?.serve(into, state) ?? 0;
      if (kept) return kept;
      if (revise && document && state !== undefined) {
        if (document.known && revise(document, into, context, state)) return document.revised(into, state);
        document.forget();
      }
      const length = render(context, into, write);
      document?.keep(into, length, state);
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
