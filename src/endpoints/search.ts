/** GET /api/packs/search: how far the search for packs is, what it has found, and what else is heard. POST begins one. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { LISTENING } from "../bms/write-queue";
import type { SearchProblem } from "../packs/types";
import type { Context } from "./context";
import { heardBeside } from "./packs";
import { fail, reply } from "./replies";
import { receiveMembers, type WriteRequest } from "./write-request";

const REQUEST: WriteRequest = Object.freeze(
  { form: false, members: [], bodyError: "The request body must be a JSON object: {}.", fail },
  true,
);

const SENTENCES: Readonly<Record<SearchProblem, string>> = Object.freeze(
  {
    listening: LISTENING,
    searching: "Another search is not over yet.",
    "no-bus": "The port of the BMS is not open.",
    interrupted: "The settings or the port of the BMS have changed meanwhile.",
    "bus-noise": "The line was never silent for 30 s. Another master may be on the bus, or the cable disturbed.",
  },
  true,
);

export function getSearch(context: Context<"monitor" | "settings">, exchange: Exchange): void {
  answer(context, exchange, 200);
}

export function postSearch(context: Context<"monitor" | "settings">, exchange: Exchange): void {
  receiveMembers(context, exchange, REQUEST, () => {
    const problem = context.device.monitor.startSearch();
    if (problem) fail(context, exchange, 409, context.dialect.error(problem, SENTENCES[problem]));
    else answer(context, exchange, 202);
  });
}

function answer(context: Context<"monitor" | "settings">, exchange: Exchange, status: number): void {
  reply(context, exchange, status, (json) => {
    json.boolean("success", true).open("data");
    writeSearch(json, context);
    json.close();
  });
}

function writeSearch(json: JsonWriter, { device, dialect }: Context<"monitor" | "settings">): void {
  const { monitor } = device;
  const { search } = monitor;
  const { baud } = device.settings.bms;
  const problem = search?.problem;
  json
    .boolean("searching", search?.isRunning ?? false)
    .boolean("waiting", search?.isWaiting ?? false)
    .integer("baud", search?.baud ?? baud)
    .integer("searched", search?.searched ?? 0)
    .string("problem", problem ? dialect.error(problem, SENTENCES[problem]) : "")
    .openArray("found");
  search?.forEach((found) => {
    const { address, model, serialNumber, cells } = found;
    json.open().integer("address", address).integer("baud", found.baud);
    if (model) json.string("model", model).string("serialNumber", serialNumber);
    else json.null("model").null("serialNumber");
    if (cells) json.integer("cells", cells);
    else json.null("cells");
    json
      .boolean("configured", found.baud === baud && monitor.packs.some(({ identity }) => identity.address === address))
      .close();
  });
  json.closeArray().members(`"heard":[${heardBeside(monitor).join()}]`);
}
