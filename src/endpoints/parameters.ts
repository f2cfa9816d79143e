/** A parameter of the BMS, of one pack or of all: POST /api/bms/settings and POST /api/packs/settings. */
import type { Exchange } from "http-server/types";
import type { Refusal } from "../bms/types";
import { parameterRequest, type ParameterRequest } from "../catalogue/requests";
import type { Context } from "./context";
import type { BusPack } from "../packs/types";
import { answerWrite, writePackOf } from "./queue";
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
  const { device, dialect, pack } = context;
  receive(
    context,
    exchange,
    dialect.queuePath,
    ({ parameter, value }) => device.monitor.writes.parameter(pack, parameter, value, dialect.origin),
    pack,
  );
}

/** POST /api/packs/settings: for all packs, one after the other. */
export function postParameterToAll(context: Context<"monitor">, exchange: Exchange): void {
  const { device, dialect } = context;
  receive(context, exchange, exchange.path, ({ parameter, value }) =>
    device.monitor.writes.parameterToAll(parameter, value, dialect.origin),
  );
}

/** `statusPath`: where the outcome will be; `pack`: the one that is written to, unless all are. */
function receive(
  context: Context<"monitor">,
  exchange: Exchange,
  statusPath: string,
  write: (request: ParameterRequest) => Refusal | undefined,
  pack?: BusPack,
): void {
  receiveMembers(context, exchange, REQUEST, ({ setting, value }) => {
    const request = parameterRequest(setting, value);
    if (!request) {
      fail(context, exchange, 400, REQUEST.bodyError);
      return;
    }
    const known = request.parameter;
    answerWrite(
      context,
      exchange,
      write(request),
      (json) => {
        json.string("setting", typeof known === "string" ? known : known.name);
        if (pack) writePackOf(json, pack);
      },
      statusPath,
    );
  });
}
