/** GET /api/events: the events in flash. */
import { Cursor } from "flash-log/cursor";
import type { Ring } from "flash-log/ring";
import type { Exchange } from "http-server/types";
import { writeText } from "json/bytes";
import type { EventStore } from "../events/types";
import * as bytes from "../events/record-bytes";
import { EVENTS } from "../history/layout";
import type { Context, HistorySource } from "./context";
import { takeHistory } from "./history";
import { fail } from "./replies";
import { Stepped } from "./stepped";

const HEAD = '{"success":true,"data":[';
const END = '],"notStored":';

export function getEvents(context: Context<"flashHistory" | "storedEvents" | "turns">, exchange: Exchange): void {
  if (exchange.query) return fail(context, exchange, 400, "There are no parameters.");
  takeHistory(context, exchange, (history) => new EventRows(context, exchange, history).respond());
}

/** In the order in which they happened. */
class EventRows extends Stepped {
  private readonly cursor: Cursor;
  private readonly store: EventStore | undefined;
  private stage = 0;
  private hasRow = false;

  constructor(context: Context<"storedEvents" | "turns">, exchange: Exchange, history: HistorySource) {
    super(context, exchange, context.device.turns);
    this.store = context.device.storedEvents;
    this.cursor = new Cursor(history.store.rings[EVENTS] as Ring);
  }

  protected write(into: Uint8Array): number {
    if (!this.stage) {
      this.stage++;
      return writeText(into, 0, HEAD);
    }
    if (this.stage > 1) return 0;
    if (this.cursor.next()) return this.writeRow(into);
    this.stage++;
    return writeText(into, 0, `${END}${this.store?.notStored ?? 0}}`);
  }

  private writeRow(into: Uint8Array): number {
    const { record, time } = this.cursor;
    const view = new DataView(record.buffer);
    const json = this.context.device.json.begin(into, this.hasRow).open();
    this.hasRow = true;
    if (time === undefined) json.null("time");
    else json.integer("time", time);
    json.integer("uptime", view.getUint32(bytes.EVENT_UPTIME));
    json.integer("restarts", view.getUint16(bytes.EVENT_RESTARTS));
    json.string("event", bytes.CODES[record[bytes.EVENT_CODE] as number] ?? "");
    const text = textOf(record);
    json.strings("parameters", text ? text.split("\t") : []).integer("count", record[bytes.EVENT_COUNT] as number);
    json.integer("pack", record[bytes.EVENT_PACK] as number);
    return json.close().end();
  }
}

function textOf(record: Uint8Array): string {
  const length = Math.min(record[bytes.EVENT_LENGTH] as number, bytes.EVENT_TEXT_BYTES);
  return String.fromCharCode(...record.subarray(bytes.EVENT_TEXT, bytes.EVENT_TEXT + length));
}
