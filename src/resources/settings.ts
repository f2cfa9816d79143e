/** A setting of the BMS: POST /api/bms/settings. */
import type { Exchange } from "http-server/types";
import type { Context } from "./context";
import { NAMES } from "./names";
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

export function postSetting(context: Context, exchange: Exchange): void {
  receiveMembers(context, exchange, REQUEST, ({ setting, value }) => {
    if (typeof setting !== "string" || !isValue(value)) {
      fail(context, exchange, 400, REQUEST.bodyError);
      return;
    }
    const known = context.findSetting(setting);
    if (typeof value === "boolean" && known?.quantity.kind !== "boolean") {
      fail(context, exchange, 400, REQUEST.bodyError);
      return;
    }
    answerWrite(context, exchange, context.monitor.writes.setting(known ?? setting, value), (json) =>
      json.string(NAMES.setting, known?.name ?? setting),
    );
  });
}

function isValue(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
