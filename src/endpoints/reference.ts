/** GET and POST /api/bms/reference: what is set otherwise than when it was right, and that it is right now. */
import type { Exchange } from "http-server/types";
import type { Context } from "./context";
import { answer } from "./configuration";
import { MOST_DIFFERENCES } from "./limits";
import { fail, put, reply, SUCCESS } from "./replies";
import { receiveMembers, type WriteRequest } from "./write-request";

const REQUEST: WriteRequest = Object.freeze(
  {
    form: false,
    members: ["setting"],
    bodyError: 'Invalid JSON. Required field: setting (text; "all" for all).',
    fail,
  },
  true,
);
const NONE = "This setting is not otherwise, or the pack cannot be told from another one.";

export const getReference = (context: Context<"references">, exchange: Exchange): void =>
  answer(context, exchange, (json, { pack }) => {
    const differences = context.device.references.differences(pack);
    put(json, "count", differences?.length);
    json.openArray("differences");
    for (const { name, before, value, unit } of differences?.slice(0, MOST_DIFFERENCES) ?? [])
      json
        .open()
        .string("setting", name)
        .string("reference", before)
        .string("value", value)
        .string("unit", unit)
        .close();
    json.closeArray();
  });

export function postReference(context: Context<"references">, exchange: Exchange): void {
  receiveMembers(context, exchange, REQUEST, ({ setting }) => {
    const { device, pack } = context;
    if (typeof setting !== "string" || !setting) return fail(context, exchange, 400, REQUEST.bodyError);
    if (!device.references.keep(pack, setting === "all" ? "" : setting)) return fail(context, exchange, 409, NONE);
    reply(context, exchange, 200, (json) => json.members(SUCCESS));
  });
}
