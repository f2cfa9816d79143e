/** Device actions of the web interface: token, history, log, scan, restart, factory reset, update. */
import { lowerCase } from "ascii/case";
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { fail, reply } from "../endpoints/replies";
import { receiveMembers, type WriteRequest } from "../endpoints/write-request";
import { laterOrNow } from "../runtime/timers";
import { makeToken } from "../settings/identity";
import type { WebContext } from "./context";
import { writeUpdate } from "./device";
import { NO_STORE_HEADERS } from "./headers";
import { RESTART_DELAY } from "./limits";
import type { Session } from "./sessions";
import type { NetworkControl, Updater } from "./types";

const CSV = "text/csv; charset=utf-8";
const IMAGE = "application/octet-stream";
/** If the whole log does not fit an answer, its start is dropped in steps of one part in this many. */
const LOG_PARTS = 8;

const RESET: WriteRequest = Object.freeze(
  { form: false, members: ["confirm"], bodyError: 'A factory reset must be confirmed: {"confirm":true}.', fail },
  true,
);

export function getEvents(context: WebContext, exchange: Exchange, session: Session | undefined): void {
  if (!session || !context.streams.open(exchange, session))
    fail(context, exchange, 503, "Too many listeners. Poll the documents instead.");
}

export function getToken(context: WebContext<"settings">, exchange: Exchange): void {
  reply(context, exchange, 200, (json) =>
    json.boolean("success", true).open("data").string("token", context.device.settings.api.token).close(),
  );
}

export function postToken(context: WebContext<"settings" | "random">, exchange: Exchange): void {
  const problem = context.device.settings.update("api", { token: makeToken(context.device.random) });
  if (problem) fail(context, exchange, 500, problem);
  else getToken(context, exchange);
}

export function getHistory(context: WebContext<"readHistory">, exchange: Exchange): void {
  const history = context.device.readHistory?.();
  if (history) exchange.respond(200, CSV, history, NO_STORE_HEADERS);
}

export function getLog(context: WebContext<"events">, exchange: Exchange): void {
  exchange.respond(
    200,
    "application/json",
    (into) => {
      const { length } = context.device.events ?? { length: 0 };
      const step = Math.max(1, Math.ceil(length / LOG_PARTS));
      for (let first = 0; ; first += step) {
        const json = context.device.json.begin(into);
        writeLog(json, context, Math.min(first, length));
        // Drops the oldest entries first.
        if (first >= length || json.fits) return json.end();
      }
    },
    NO_STORE_HEADERS,
  );
}

function writeLog(json: JsonWriter, { device: { events } }: WebContext<"events">, first: number): void {
  json.open().boolean("success", true).openArray("data");
  for (let index = first; events && index < events.length; index++) {
    const { uptime, time, before, text } = events.at(index);
    json.open().integer("uptime", uptime);
    if (before) json.boolean("before", true);
    if (before && time !== undefined) json.integer("time", time);
    json.string("text", text).close();
  }
  json.closeArray().close();
}

export function getScan(context: WebContext<"networkControl">, exchange: Exchange): void {
  replyScan(context, exchange, 200);
}

export function postScan(context: WebContext<"networkControl">, exchange: Exchange): void {
  context.device.networkControl?.startScan();
  replyScan(context, exchange, 202);
}

function replyScan(context: WebContext<"networkControl">, exchange: Exchange, status: number): void {
  reply(context, exchange, status, (json) => {
    const { scanning, networks } = (context.device.networkControl as NetworkControl).scan();
    json.boolean("success", true).open("data").boolean("scanning", scanning).openArray("networks");
    for (const { ssid, rssi, open } of networks)
      json.open().string("ssid", ssid).integer("rssi", rssi).boolean("open", open).close();
    json.closeArray().close();
  });
}

export function postMqttTest({ device }: WebContext<"mqtt">, exchange: Exchange): void {
  device.mqtt?.reconnect();
  exchange.respond(204, undefined, undefined, NO_STORE_HEADERS);
}

export function postSnmpTest(context: WebContext<"snmp">, exchange: Exchange): void {
  const sent = context.device.snmp?.test() ?? 0;
  reply(context, exchange, 200, (json) => json.boolean("success", true).open("data").integer("sent", sent).close());
}

export function postTimeTest({ device }: WebContext<"sntp">, exchange: Exchange): void {
  device.sntp?.restart();
  exchange.respond(204, undefined, undefined, NO_STORE_HEADERS);
}

function restart(context: WebContext<"restartFor">, exchange: Exchange, cause: "ordered" | "factory-reset"): void {
  exchange.respond(204, undefined, undefined, NO_STORE_HEADERS);
  // Without memory for a timer at once: the answer may be lost.
  laterOrNow(() => context.device.restartFor(cause), RESTART_DELAY);
}

export const postRestart = (context: WebContext<"restartFor">, exchange: Exchange): void =>
  restart(context, exchange, "ordered");

export function postFactoryReset(context: WebContext<"restartFor" | "factoryReset">, exchange: Exchange): void {
  receiveMembers(context, exchange, RESET, ({ confirm }) => {
    if (confirm !== true) return fail(context, exchange, 400, RESET.bodyError);
    const problem = context.device.factoryReset();
    if (problem) fail(context, exchange, 500, problem);
    else restart(context, exchange, "factory-reset");
  });
}

export function getUpdate(context: WebContext<"updater">, exchange: Exchange): void {
  reply(context, exchange, 200, (json) => {
    json.boolean("success", true).open("data");
    writeUpdate(json, context.device.updater as Updater);
    json.close();
  });
}

export function postUpdate(context: WebContext<"updater">, exchange: Exchange): void {
  const type = lowerCase((exchange.header("content-type") ?? "").trim());
  const length = exchange.header("content-length");
  if (type !== IMAGE) return fail(context, exchange, 415, `Content-Type must be ${IMAGE}.`);
  if (length === undefined) return fail(context, exchange, 411, "Content-Length is missing.");
  const problem = context.device.updater?.receive(exchange, Number(length), (wrong) => {
    if (wrong) fail(context, exchange, 400, wrong);
    else getUpdate(context, exchange);
  });
  if (problem) fail(context, exchange, 409, problem);
}
