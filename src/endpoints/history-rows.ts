import { countOf, decimalsOf, type Field, isBoolean, type RecordTable, valueOf } from "flash-log/field";
import { PAYLOAD } from "flash-log/layout";
import { MAX_TIME } from "flash-log/limits";
import { Page } from "flash-log/page";
import { isWhole, type Ring } from "flash-log/ring";
import type { Exchange } from "http-server/types";
import { writeText } from "json/bytes";
import { decimalText } from "json/decimal";
import { RECORDS } from "../history/records";
import type { Context, HistorySource } from "./context";
import { HISTORY_ROWS, RECORDS_A_STEP } from "./limits";
import { Stepped } from "./stepped";

export interface Query {
  /** Index of RECORDS: the series. */
  readonly ring: number;
  /** Seconds since 1970, both included. */
  readonly from: number;
  readonly to: number;
  readonly pack: number | undefined;
  readonly isCsv: boolean;
}

const CSV_TYPE = "text/csv; charset=utf-8";
const END_OF_LINE = "\r\n";

/**
 * Rows of a series as JSON or as CSV (RFC 4180), the oldest first. On the last page, unless it has an end, those follow that were recorded before the
 * clock was known: how long ago in place of a time.
 */
export class HistoryRows extends Stepped {
  private readonly history: HistorySource;
  private readonly query: Query;
  private readonly series: RecordTable;
  /** By column: its number, and what stands before it. */
  private readonly kinds: readonly Field[];
  private readonly labels: readonly string[];
  private readonly page: Page;
  private readonly record: Uint8Array;
  /** 0: the head is next. */
  private row = 0;
  /** Of the records without a time: the next one, and how many there are. */
  private undated = 0;
  private allUndated = 0;
  /** Uptime when it was asked, s. */
  private readonly now: number;
  private hasRow = false;
  private isOver = false;

  constructor(context: Context<"turns" | "uptime">, exchange: Exchange, history: HistorySource, query: Query) {
    super(context, exchange, context.device.turns);
    const { from, to, pack } = query;
    const ring = history.store.rings[query.ring] as Ring;
    this.history = history;
    this.now = context.device.uptime();
    this.query = query;
    this.series = RECORDS[query.ring] as RecordTable;
    const { fields } = this.series;
    this.kinds = Object.values(fields);
    this.labels = Object.keys(fields).map((name) => (query.isCsv ? "," : `,"${name}":`));
    this.record = new Uint8Array(ring.recordBytes);
    this.page = new Page({ ring, from, to, size: HISTORY_ROWS, first: pack });
  }

  protected override collect(): boolean {
    return this.page.scan(RECORDS_A_STEP);
  }

  /** CSV has no place for `next`: a link leads to the rest (RFC 8288). */
  override respond(): void {
    const { to, pack, isCsv } = this.query;
    if (!isCsv) return super.respond();
    const { next } = this.page;
    if (next === undefined) return super.respond(CSV_TYPE);
    const ofPack = pack === undefined ? "" : `&pack=${pack}`;
    super.respond(CSV_TYPE, [
      ["Link", `<${this.exchange.path}?series=${this.series.name}&from=${next}&to=${to}${ofPack}>; rel="next"`],
    ]);
  }

  protected write(into: Uint8Array): number {
    const { isCsv, ring, pack } = this.query;
    if (!this.row++) {
      this.findUndated();
      return isCsv
        ? this.writeNames(into)
        : writeText(into, 0, `{"success":true,"data":{"series":"${this.series.name}","rows":[`);
    }
    for (; this.row - 2 < this.page.count; this.row++) {
      const time = this.page.read(this.record, this.row - 2);
      if (time !== undefined) return this.writeRow(into, time);
    }
    while (this.undated < this.allUndated) {
      const uptime = this.history.store.readUntimed(ring, this.undated++, this.record);
      const isWanted = pack === undefined || this.record[PAYLOAD] === pack;
      if (uptime !== undefined && isWanted && isWhole(this.record))
        return this.writeRow(into, undefined, this.now - uptime);
    }
    if (this.isOver || isCsv) return 0;
    this.isOver = true;
    return writeText(into, 0, `],"next":${this.page.next ?? null}}}`);
  }

  /** The newest that are not more than a page has room for. */
  private findUndated(): void {
    const { page, query } = this;
    if (query.to < MAX_TIME || page.next !== undefined) return;
    this.allUndated = this.history.store.countUntimed(query.ring);
    this.undated = Math.max(0, this.allUndated + page.count - HISTORY_ROWS);
  }

  private writeNames(into: Uint8Array): number {
    let names = "time";
    const { fields } = this.series;
    for (const name of Object.keys(fields)) {
      const count = countOf(fields[name] as Field);
      if (!count) names += `,${name}`;
      for (let index = 1; index <= count; index++) names += `,${name}${index}`;
    }
    return writeText(into, 0, names + (this.allUndated ? ",ago" : "") + END_OF_LINE);
  }

  /** Either `time`, or `ago`, s. */
  private writeRow(into: Uint8Array, time: number | undefined, ago?: number): number {
    const { kinds, labels, record } = this;
    const { isCsv } = this.query;
    let text = isCsv ? `${time ?? ""}` : `${this.hasRow ? "," : ""}{"time":${time ?? null}`;
    if (ago !== undefined && !isCsv) text += `,"ago":${ago}`;
    this.hasRow = true;
    for (let column = 0; column < kinds.length; column++) {
      const field = kinds[column] as Field;
      const count = countOf(field);
      text += labels[column] as string;
      if (count && !isCsv) text += "[";
      text += textOf(record, field, 0, isCsv);
      for (let index = 1; index < count; index++) text += `,${textOf(record, field, index, isCsv)}`;
      if (count && !isCsv) text += "]";
    }
    if (!isCsv) text += "}";
    else text += this.allUndated ? `,${ago ?? ""}${END_OF_LINE}` : END_OF_LINE;
    return writeText(into, 0, text);
  }
}

/** Of one that is unknown: null in JSON, nothing in CSV. */
function textOf(record: Uint8Array, field: Field, index: number, isCsv: boolean): string {
  const value = valueOf(record, field, index);
  if (value === undefined) return isCsv ? "" : "null";
  return isCsv || !isBoolean(field) ? decimalText(value, decimalsOf(field)) : `${value !== 0}`;
}
