/** The write queue as clients see it: its document, and the answers to writes of both kinds. */
import type { Refusal } from "../bms/types";
import type { WriteReport } from "../bms/outcomes";
import { sentenceOf } from "../bms/write-report";
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import type { BusPack } from "../packs/types";
import type { Context } from "./context";
import { reply } from "./replies";

export function getQueue(context: Context<"monitor">, exchange: Exchange): void {
  reply(context, exchange, 200, writeQueue);
}

function writeQueue(json: JsonWriter, { device: { monitor }, dialect, pack, byLink }: Context<"monitor">): void {
  const { writes } = monitor;
  const { online, configurationLoaded } = pack;
  const last = byLink ? undefined : writes.lastOf(pack);
  json.boolean("success", true);
  json.open("data");
  json.boolean("bmsOnline", online);
  json.boolean("configurationLoaded", configurationLoaded);
  json.boolean("pending", writes.pending);
  json.string("lastCommand", last ? sentenceOf(last) : "");
  json.boolean("lastCommandOk", last?.outcome === "confirmed");
  if (dialect.outcomes) writeLast(json, last);
  json.close();
}

/** Writes the outcome of the last write as codes; null before the first. */
export function writeLast(json: JsonWriter, last: WriteReport | undefined): void {
  if (last) json.value("last", { ...last });
  else json.null("last");
}

/** Writes which pack a write is for, of several. */
export function writePackOf(json: JsonWriter, { label }: BusPack): void {
  if (label !== undefined) json.integer("pack", label);
}

/** 202 with the members that `echo` writes into `data`, or 409 if the queue refused the write. */
export function answerWrite(
  context: Context<"monitor">,
  exchange: Exchange,
  refusal: Refusal | undefined,
  echo: (json: JsonWriter) => void,
  statusPath = context.dialect.queuePath,
): void {
  if (refusal) {
    // Read now: the response may leave later, when `pending` has changed.
    const { pending } = context.device.monitor.writes;
    reply(context, exchange, 409, (json) => {
      json.boolean("success", false).string("error", refusal.message);
      json.open("data").boolean("pending", pending);
      if (context.dialect.outcomes) json.string("reason", refusal.reason);
      if (refusal.above !== undefined) json.decimal("above", refusal.above, 3);
      json.close();
    });
    return;
  }
  reply(context, exchange, 202, (json) => {
    json.boolean("success", true).string("status", "queued");
    json.open("data");
    echo(json);
    json.string("statusEndpoint", statusPath).close();
  });
}
