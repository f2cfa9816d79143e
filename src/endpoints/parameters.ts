/** A parameter of the BMS: POST /api/bms/settings. */
import type { Exchange } from "http-server/types";
import { parameterRequest } from "../catalogue/requests";
import type { Context } from "./context";
import { answerWrite } from "./queue";
import { fail } from "./replies";
import { receiveMembers, type WriteRequest } from "./write-request";

const REQUEST: WriteRequest = Object.freeze(
  {
    form: false,
    members: ["setting", "value"],
    bodyError:
      "Invalid JSON. Required fields: setting (text) and value (number or text; for balance_enabled also true or false).",
    fail,
  },
  true,
);

export function postParameter(context: Context<"monitor">, exchange: Exchange): void {
  receiveMembers(context, exchange, REQUEST, ({ setting, value }) => {
    const request = parameterRequest(setting, value);
    if (!request) {
      fail(context, exchange, 400, REQUEST.bodyError);
      return;
    }
    const known = request.parameter;
    const { device, dialect, pack } = context;
    const refusal = device.monitor.writes.parameter(known, request.value, undefined, pack, dialect.origin);
    answerWrite(context, exchange, refusal, (json) =>
      json.string("setting", typeof known === "string" ? known : known.name),
    );
  });
}
