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
  },
  true,
);

export function getSearch(context: Context<"monitor">, exchange: Exchange): void {
  answer(context, exchange, 200);
}

export function postSearch(context: Context<"monitor">, exchange: Exchange): void {
  receiveMembers(context, exchange, REQUEST, () => {
    const problem = context.device.monitor.startSearch();
    if (problem) fail(context, exchange, 409, context.dialect.error(problem, SENTENCES[problem]));
    else answer(context, exchange, 202);
  });
}

function answer(context: Context<"monitor">, exchange: Exchange, status: number): void {
  reply(context, exchange, status, (json) => {
    json.boolean("success", true).open("data");
    writeSearch(json, context);
    json.close();
  });
}

function writeSearch(json: JsonWriter, { device, dialect }: Context<"monitor">): void {
  const { monitor } = device;
  const { search } = monitor;
  const problem = search?.problem;
  json
    .boolean("searching", search?.isRunning ?? false)
    .integer("searched", search?.searched ?? 0)
    .string("problem", problem ? dialect.error(problem, SENTENCES[problem]) : "")
    .openArray("found");
  search?.forEach(({ address, model, serialNumber, cells }) => {
    json.open().integer("address", address);
    if (model) json.string("model", model).string("serialNumber", serialNumber);
    else json.null("model").null("serialNumber");
    if (cells) json.integer("cells", cells);
    else json.null("cells");
    json
      .boolean(
        "configured",
        monitor.packs.some(({ identity }) => identity.address === address),
      )
      .close();
  });
  json.closeArray().members(`"heard":[${heardBeside(monitor).join()}]`);
}
