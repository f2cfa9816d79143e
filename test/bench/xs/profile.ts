/** Counts the meter's units by part of the firmware, on XS. */
import { ClientSocket } from "http-server/client-socket";
import { HeadParser } from "http-server/head-parser";
import { RememberedHead } from "http-server/request-head";
import { Response } from "http-server/response";
import { ResponseFrame } from "http-server/response-frame";
import { RequestExchange } from "http-server/exchange";
import { JsonWriter } from "json/writer";

/** Members by the part that they are; what they call of another part counts there. */
const PARTS: readonly (readonly [part: string, holder: object, members: readonly string[]])[] = [
  ["parse the head", HeadParser.prototype, ["read"]],
  ["compare the head with the last one", RememberedHead.prototype, ["comesAgain"]],
  ["render: walk and look-ups", ResponseFrame.prototype, ["render"]],
  ["render: numbers", JsonWriter.prototype, ["decimal"]],
  [
    "render: texts, names, brackets",
    JsonWriter.prototype,
    ["string", "boolean", "open", "close", "openArray", "closeArray"],
  ],
  ["make the response's head", Response.prototype, ["start"]],
  ["socket", ClientSocket.prototype, ["read", "write"]],
  ["connection, after the handler", RequestExchange.prototype, ["respond", "respondFile"]],
];
const REST = "connection, route, authentication";

type Method = (this: unknown, ...parameters: unknown[]) => unknown;

export class Profile {
  #units: Record<string, number> = {};
  #part = REST;

  constructor() {
    for (const [part, holder, members] of PARTS)
      for (const member of members) {
        const methods = holder as Record<string, Method>;
        methods[member] = this.#counted(part, methods[member] as Method);
      }
  }

  take(): Record<string, number> {
    const taken = this.#units;
    this.#units = {};
    return taken;
  }

  #counted(part: string, method: Method): Method {
    // A function of its own each, so that `this` is the caller's.
    const enter = (next: string): string => {
      const units = resetMeter(0, 0);
      const last = this.#part;
      this.#units[last] = (this.#units[last] ?? 0) + units;
      this.#part = next;
      return last;
    };
    return function (...parameters) {
      const last = enter(part);
      try {
        return method.apply(this, parameters);
      } finally {
        enter(last);
        resetMeter(0, 0);
      }
    };
  }
}
