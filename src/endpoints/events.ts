/** GET /api/events: the events in flash. */
import { Cursor } from "flash-log/cursor";
import type { Ring } from "flash-log/ring";
import type { Exchange } from "http-server/types";
import { jsonBytes, writeBytes } from "json/bytes";
import type { JsonWriter } from "json/writer";
import * as bytes from "../events/record-bytes";
import { EVENTS } from "../history/layout";
import type { Context, KeptSource } from "./context";
import { keptOf } from "./history";
import { MAX_PIECE } from "./limits";
import { NAMES } from "./names";
import { fail, JSON_TYPE } from "./replies";
import { Stepped } from "./stepped";

const HEAD = jsonBytes('{"success":true,"data":[');
const END = jsonBytes("]}");
const COMMA = 0x2c;

export function getEvents(context: Context<"keptHistory">, exchange: Exchange): void {
  if (exchange.query) return fail(context, exchange, 400, "There are no parameters.");
  const kept = keptOf(context, exchange);
  if (kept)
    exchange.respond(200, JSON_TYPE, new EventRows(exchange, kept, context.device.json), context.dialect.headers);
}

/** In the order in which they happened. */
class EventRows extends Stepped {
  private readonly cursor: Cursor;
  private readonly json: JsonWriter;
  private stage = 0;
  private hasRow = false;

  constructor(exchange: Exchange, kept: KeptSource, json: JsonWriter) {
    super(exchange, kept, MAX_PIECE);
    this.cursor = new Cursor(kept.store.rings[EVENTS] as Ring);
    this.json = json;
  }

  /** Each row is looked for when it is written. */
  protected look(): boolean {
    return false;
  }

  protected write(into: Uint8Array): number {
    if (!this.stage) {
      this.stage++;
      return writeBytes(into, 0, HEAD);
    }
    if (this.stage > 1) return 0;
    if (this.cursor.next()) return this.writeRow(into);
    this.stage++;
    return writeBytes(into, 0, END);
  }

  private writeRow(into: Uint8Array): number {
    const { record, time } = this.cursor;
    const view = new DataView(record.buffer);
    let start = 0;
    if (this.hasRow) into[start++] = COMMA;
    this.hasRow = true;
    const json = this.json.begin(into.subarray(start)).open();
    if (time === undefined) json.null(NAMES.time);
    else json.integer(NAMES.time, time);
    json.integer(NAMES.uptime, view.getUint32(bytes.EVENT_UPTIME));
    json.integer(NAMES.restarts, view.getUint16(bytes.EVENT_RESTARTS));
    json.string(NAMES.event, bytes.CODES[record[bytes.EVENT_CODE] as number] ?? "");
    json.openArray(NAMES.parameters);
    const text = textOf(record);
    if (text) for (const parameter of text.split("\t")) json.string(undefined, parameter);
    json.closeArray().integer(NAMES.count, record[bytes.EVENT_COUNT] as number);
    json.integer(NAMES.pack, record[bytes.EVENT_PACK] as number);
    return start + json.close().end();
  }
}

function textOf(record: Uint8Array): string {
  let text = "";
  const end = bytes.EVENT_TEXT + Math.min(record[bytes.EVENT_LENGTH] as number, bytes.EVENT_TEXT_BYTES);
  for (let at = bytes.EVENT_TEXT; at < end; at++) text += String.fromCharCode(record[at] as number);
  return text;
}
