import { countOf, decimalsOf, type Field, isBoolean, type RecordTable, valueOf } from "flash-log/field";
import { Page } from "flash-log/page";
import type { Ring } from "flash-log/ring";
import type { Exchange } from "http-server/types";
import { writeText } from "json/bytes";
import { decimalText } from "json/decimal";
import type { JsonWriter, Key } from "json/writer";
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

/** Rows of a series as JSON or as CSV (RFC 4180), the oldest first. */
export class HistoryRows extends Stepped {
  private readonly query: Query;
  private readonly series: RecordTable;
  /** Names of its columns. */
  private readonly columns: readonly string[];
  private readonly page: Page;
  private readonly record: Uint8Array;
  private readonly json: JsonWriter;
  /** 0: the head is next. */
  private row = 0;
  private hasRow = false;
  private isOver = false;

  constructor(context: Context<"turns">, exchange: Exchange, history: HistorySource, query: Query) {
    super(context, exchange, context.device.turns);
    const { from, to, pack } = query;
    const ring = history.store.rings[query.ring] as Ring;
    this.query = query;
    this.series = RECORDS[query.ring] as RecordTable;
    this.columns = Object.keys(this.series.fields);
    this.json = context.device.json;
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
    const { isCsv } = this.query;
    if (!this.row++)
      return isCsv
        ? this.writeNames(into)
        : writeText(into, 0, `{"success":true,"data":{"series":"${this.series.name}","rows":[`);
    for (; this.row - 2 < this.page.count; this.row++) {
      const time = this.page.read(this.record, this.row - 2);
      if (time !== undefined) return isCsv ? this.writeLine(into, time) : this.writeRow(into, time);
    }
    if (this.isOver || isCsv) return 0;
    this.isOver = true;
    return writeText(into, 0, `],"next":${this.page.next ?? null}}}`);
  }

  private writeRow(into: Uint8Array, time: number): number {
    const json = this.json.begin(into, this.hasRow).open().integer("time", time);
    this.hasRow = true;
    const { record } = this;
    const { columns } = this;
    const { fields } = this.series;
    for (const name of columns) writeMember(json, name, fields[name] as Field, record);
    return json.close().end();
  }

  private writeNames(into: Uint8Array): number {
    let names = "time";
    const { columns } = this;
    const { fields } = this.series;
    for (const name of columns) {
      const count = countOf(fields[name] as Field);
      if (!count) names += `,${name}`;
      for (let index = 1; index <= count; index++) names += `,${name}${index}`;
    }
    return writeText(into, 0, names + END_OF_LINE);
  }

  private writeLine(into: Uint8Array, time: number): number {
    let line = `${time}`;
    const { columns } = this;
    const { fields } = this.series;
    for (const name of columns) {
      const field = fields[name] as Field;
      for (let index = 0; index < (countOf(field) || 1); index++) {
        const value = valueOf(this.record, field, index);
        line += value === undefined ? "," : `,${decimalText(value, decimalsOf(field))}`;
      }
    }
    return writeText(into, 0, line + END_OF_LINE);
  }
}

function writeMember(json: JsonWriter, key: Key, field: Field, record: Uint8Array): void {
  const count = countOf(field);
  if (!count) return writeValue(json, key, field, valueOf(record, field));
  json.openArray(key);
  for (let index = 0; index < count; index++) writeValue(json, undefined, field, valueOf(record, field, index));
  json.closeArray();
}

function writeValue(json: JsonWriter, key: Key, field: Field, value: number | undefined): void {
  if (value === undefined) json.null(key);
  else if (isBoolean(field)) json.boolean(key, value !== 0);
  else json.decimal(key, value, decimalsOf(field));
}
