/** POST /api/relay: switches the relay. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { parseSwitch } from "../catalogue/validate";
import { MANUAL } from "../relay/modes";
import type { Context } from "./context";
import { reply } from "./replies";
import { receiveMembers, type WriteRequest } from "./write-request";

const UPDATED = "Relay updated successfully.";
const INVALID = "Invalid relay command. Send cmd or state as on/off, true/false or 1/0.";
const NOT_MANUAL = "Relay control blocked: the relay is not configured in manual mode.";
const NO_OUTPUT = "Relay control blocked: the relay's output is not available.";

/** The relay document's envelope uses `message`, the monitor document's `error`: both are written, for clients of either. */
function writeFailure(json: JsonWriter, error: string): void {
  json.boolean("success", false).string("message", error).string("error", error);
}

function failRelay(context: Context, exchange: Exchange, status: number, error: string): void {
  reply(context, exchange, status, (json) => writeFailure(json, error));
}

const REQUEST: WriteRequest = Object.freeze(
  {
    form: true,
    members: ["cmd", "state"],
    bodyError: INVALID,
    fail: failRelay,
  },
  true,
);

export function hasRelay({ device }: Context<"settings">): boolean {
  return device.settings.relay.fitted;
}

export function postRelay(context: Context<"relay">, exchange: Exchange): void {
  receiveMembers(context, exchange, REQUEST, ({ cmd, state }) => {
    const on = parseSwitch(cmd === undefined ? state : cmd);
    if (on === undefined) {
      failRelay(context, exchange, 400, INVALID);
      return;
    }
    if (context.device.relay.switch(on)) {
      reply(context, exchange, 200, (json) => {
        json.boolean("success", true).string("message", UPDATED);
        writeRelay(json, context);
      });
    } else {
      reply(context, exchange, 409, (json) => {
        writeFailure(json, blockedBy(context));
        writeRelay(json, context);
      });
    }
  });
}

function blockedBy({ device: { relay }, dialect }: Context<"relay">): string {
  if (relay.mode === MANUAL) return NO_OUTPUT;
  return dialect.error("relay-not-manual", NOT_MANUAL);
}

function writeRelay(json: JsonWriter, { device: { relay } }: Context<"relay">): void {
  json.open("data");
  json.string("relay0Name", relay.name);
  json.integer("relay0Value", relay.value);
  json.string("relay0State", relay.value ? "on" : "off");
  json.integer("relay0Config", relay.mode);
  json.close();
}
