/** A command for the BMS: POST /api/bms/commands. */
import { lowerCase } from "ascii/case";
import type { Exchange } from "http-server/types";
import { parseSwitch } from "../catalogue/validate";
import { inrushOf } from "../packs/inrush";
import type { Context } from "./context";
import { answerWrite, writePackOf } from "./queue";
import { fail } from "./replies";
import { receiveMembers, type WriteRequest } from "./write-request";

const REQUEST: WriteRequest = Object.freeze(
  {
    form: false,
    members: ["command", "state", "force"],
    bodyError: 'Invalid JSON. Required fields: command (text) and state (true, false, "on", "off", "1" or "0").',
    fail,
  },
  true,
);

export function postCommand(context: Context<"monitor">, exchange: Exchange): void {
  receiveMembers(context, exchange, REQUEST, ({ command, state, force = false }) => {
    const on = commandState(state);
    if (typeof command !== "string" || on === undefined || typeof force !== "boolean") {
      fail(context, exchange, 400, REQUEST.bodyError);
      return;
    }
    const name = lowerCase(command.trim());
    const { device, dialect, pack } = context;
    const { packs, writes } = device.monitor;
    const isCompared = !on || inrushOf(pack, packs, name) !== undefined;
    const refusal = writes.command(pack, name, on, dialect.origin, undefined, force);
    answerWrite(context, exchange, refusal, (json) => {
      writePackOf(json.string("command", name).boolean("state", on), pack);
      // Its voltage, or that of the others, is not known.
      if (!isCompared) json.null("above");
    });
  });
}

/** As `parseSwitch`, but the contract has neither numbers nor the texts true and false here (docs/openapi.yaml). */
function commandState(state: unknown): boolean | undefined {
  const word = typeof state === "string" ? lowerCase(state.trim()) : state;
  return typeof word === "number" || word === "true" || word === "false" ? undefined : parseSwitch(word);
}
