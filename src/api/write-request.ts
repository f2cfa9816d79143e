import type { Exchange } from "http-server/types";
import { bodyType, type Members } from "./body";
import type { Context } from "./context";
import { MAX_BODY_BYTES } from "./limits";

/** What a resource takes in the body of a POST. */
export interface WriteRequest {
  /** Forms as well as JSON. */
  readonly form: boolean;
  /** The members that are looked at. */
  readonly members: readonly string[];
  /** What a client is told with 415 … */
  readonly typeError: string;
  /** … and with 400 when the body cannot be read. */
  readonly bodyError: string;
  readonly fail: (context: Context, exchange: Exchange, status: number, error: string) => void;
}

const SIZE_ERROR = `The request body must be 1 to ${MAX_BODY_BYTES} bytes.`;

/** Checks the Content-Type (415), the body's size (413) and its form (400), in this order, and hands the members to `done`. */
export function receiveMembers(
  context: Context,
  exchange: Exchange,
  request: WriteRequest,
  done: (members: Members) => void,
): void {
  const type = bodyType(exchange.header("content-type"));
  if (type === undefined || (type === "form" && !request.form)) {
    request.fail(context, exchange, 415, request.typeError);
    return;
  }
  exchange.receive(MAX_BODY_BYTES, (body) => {
    if (!body?.length) {
      request.fail(context, exchange, 413, SIZE_ERROR);
      return;
    }
    const members = context.bodies.parse(type, body, request.members);
    if (members) done(members);
    else request.fail(context, exchange, 400, request.bodyError);
  });
}
