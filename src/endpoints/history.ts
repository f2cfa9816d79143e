/** GET /api/history: rows of the history in flash. */
import { lowerCase } from "ascii/case";
import { RETRY_AFTER } from "http-server/answers";
import type { Exchange } from "http-server/types";
import { MAX_TIME } from "flash-log/limits";
import { RECORDS } from "../history/records";
import type { Context, HistorySource } from "./context";
import { HistoryRows, type Query } from "./history-rows";
import { MAX_PACK } from "./limits";
import { fail } from "./replies";

const UNKNOWN_SERIES = "series must be fine, hours, days or cells.";

export function getHistory(context: Context<"flashHistory" | "turns" | "uptime">, exchange: Exchange): void {
  // Nothing else than JSON and CSV is offered.
  const isCsv = lowerCase(exchange.header("accept") ?? "").includes("text/csv");
  const query = parseQuery(exchange.query, isCsv);
  if (typeof query === "string") return fail(context, exchange, 400, query);
  takeHistory(context, exchange, (history) => new HistoryRows(context, exchange, history, query).begin());
}

/** Calls `begin`, which makes a `Stepped`, when it is its turn. */
export function takeHistory(
  context: Context<"flashHistory" | "turns">,
  exchange: Exchange,
  begin: (history: HistorySource) => void,
): void {
  const { flashHistory, turns } = context.device;
  if (!flashHistory) return failWithoutHistory(context, exchange);
  turns.take(
    exchange,
    () => begin(flashHistory),
    () => refuseReader(context, exchange),
  );
}

export const failWithoutHistory = (context: Context, exchange: Exchange): void =>
  fail(context, exchange, 503, "There is no history: its flash cannot be used.");

export const refuseReader = (context: Context, exchange: Exchange): void =>
  fail(context, exchange, 503, "Others read the history. Retry later.", [...context.dialect.headers, ...RETRY_AFTER]);

/** The query, or what is wrong with it. */
function parseQuery(text: string, isCsv: boolean): Query | string {
  let ring = 0;
  let from = 0;
  let to = MAX_TIME;
  let pack: number | undefined;
  for (const member of text ? text.split("&") : []) {
    const equals = member.indexOf("=");
    const name = equals < 0 ? member : member.slice(0, equals);
    const value = equals < 0 ? "" : member.slice(equals + 1);
    if (name === "series") {
      ring = ringOf(value);
      if (ring < 0) return UNKNOWN_SERIES;
    } else if (name === "from" || name === "to") {
      const time = wholeNumber(value);
      if (time === undefined || time > MAX_TIME) return `${name} must be seconds since 1970, in digits.`;
      if (name === "from") from = time;
      else to = time;
    } else if (name === "pack") {
      pack = wholeNumber(value);
      if (pack === undefined || pack > MAX_PACK) return `pack must be an address from 0 to ${MAX_PACK}.`;
    } else return "Only series, from, to and pack are known.";
  }
  if (from > to) return "from must not be later than to.";
  if (pack !== undefined && RECORDS[ring]?.fields["pack"] === undefined)
    return "pack is for hours and cells: fine and days are the bank's.";
  return { ring, from, to, pack, isCsv };
}

/** The ring of a series by its name; -1: there is none. */
export const ringOf = (series: string): number => RECORDS.findIndex(({ name }) => name === series);

/** Undefined: not a whole number of 32 bits in digits, without a sign, point, exponent or leading zero. */
export function wholeNumber(text: string): number | undefined {
  const value = Number(text) >>> 0;
  return String(value) === text ? value : undefined;
}
