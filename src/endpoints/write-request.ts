import type { Exchange } from "http-server/types";
import type { Members } from "json/parse";
import { bodyType, parseBody } from "./body";
import type { Context } from "./context";
import { MAX_BODY_BYTES } from "./limits";

/** What a resource accepts in the body of a POST. */
export interface WriteRequest {
  /** Accepts forms as well as JSON. */
  readonly form: boolean;
  /** The members used. */
  readonly members: readonly string[];
  /** Longest body, bytes; default: MAX_BODY_BYTES. Beyond it, or without a body: 413. */
  readonly limit?: number;
  /** Error text of the 400 sent if the body cannot be read. */
  readonly bodyError: string;
  readonly fail: (context: Context, exchange: Exchange, status: number, error: string) => void;
}

const JSON_ALONE = "Content-Type must be application/json.";
const FORM_OR_JSON = "Content-Type must be application/x-www-form-urlencoded or application/json.";

/** Checks the Content-Type (415), the body's size (413) and its syntax (400), in this order, then passes the members to `done`. */
export function receiveMembers(
  context: Context,
  exchange: Exchange,
  request: WriteRequest,
  done: (members: Members) => void,
): void {
  const type = bodyType(exchange.header("content-type"));
  const forms = request.form && context.dialect.forms;
  if (type === undefined || (type === "form" && !forms)) {
    request.fail(context, exchange, 415, forms ? FORM_OR_JSON : JSON_ALONE);
    return;
  }
  const { limit = MAX_BODY_BYTES } = request;
  exchange.receive(limit, (body) => {
    if (!body?.length) {
      request.fail(context, exchange, 413, `The request body must be 1 to ${limit} bytes.`);
      return;
    }
    const members = parseBody(type, body, request.members);
    if (members) done(members);
    else request.fail(context, exchange, 400, request.bodyError);
  });
}
