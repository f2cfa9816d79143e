/** POST /api/time: sets the clock where no time server does. */
import type { Exchange } from "http-server/types";
import { clientAddress } from "../auth/client-address";
import { isTime } from "../network/sntp/clock";
import type { Context } from "./context";
import { fail, reply } from "./replies";
import { receiveMembers, type WriteRequest } from "./write-request";

const RANGE = "time must be whole seconds since 1970, from 2025 to 2099.";
const IN_STEP = "A time server keeps the clock right.";

const REQUEST: WriteRequest = Object.freeze(
  { form: false, members: ["time"], bodyError: "Invalid JSON. Required field: time (number).", fail },
  true,
);

export function postTime(context: Context<"setTime" | "settings">, exchange: Exchange): void {
  receiveMembers(context, exchange, REQUEST, ({ time }) => {
    const { device, dialect } = context;
    if (typeof time !== "number") return fail(context, exchange, 400, REQUEST.bodyError);
    if (!Number.isInteger(time) || !isTime(time)) return fail(context, exchange, 409, RANGE);
    const who = clientAddress(exchange, device.settings.device.proxyAddress);
    if (!device.setTime?.(time, `${dialect.origin}\t${who}`)) return fail(context, exchange, 409, IN_STEP);
    reply(context, exchange, 200, (json) => json.boolean("success", true));
  });
}
