/** Parses /web/history.csv, the device's history of the last hours. */

/** One row; undefined: not measured. Times in seconds relative to now, negative. */
export interface Point {
  readonly time: number;
  readonly soc: number | undefined;
  readonly power: number | undefined;
  readonly minCell: number | undefined;
  readonly maxCell: number | undefined;
}

const COLUMNS = ["time_s", "soc", "power_w", "min_cell_v", "max_cell_v"];

/** Points in time order. Skips truncated and non-numeric lines. Throws when an expected column is missing. */
export function parseHistory(text: string): Point[] {
  const [head = "", ...lines] = text.split(/\r?\n/);
  const names = head.split(",").map((name) => name.trim());
  const places = COLUMNS.map((name) => names.indexOf(name));
  if (places.includes(-1)) throw new Error(`history without ${COLUMNS.join(", ")}`);
  const points: Point[] = [];
  for (const line of lines) {
    const parts = line.split(",");
    if (parts.length !== names.length) continue;
    const [time, soc, power, minCell, maxCell] = places.map((place) => value(parts[place]));
    if (time !== undefined) points.push({ time, soc, power, minCell, maxCell });
  }
  return points.sort((a, b) => a.time - b.time);
}

function value(text: string | undefined): number | undefined {
  if (!text?.trim()) return undefined;
  const result = Number(text);
  return Number.isFinite(result) ? result : undefined;
}

/** A value of a table: text, or a number with its decimals; undefined: unknown, an empty field. */
export type CsvValue = string | readonly [value: number | undefined, decimals: number];

/**
 * A table for the spreadsheets of a language: where numbers have a decimal comma, fields are separated by semicolons. Begins with the mark by
 * which Excel knows UTF-8.
 */
export function csvOf(heads: readonly string[], rows: readonly (readonly CsvValue[])[], decimal: string): string {
  const separator = decimal === "," ? ";" : ",";
  const field = (value: CsvValue): string => {
    if (typeof value === "string") return /[",;\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
    const [number, decimals] = value;
    return number === undefined ? "" : number.toFixed(decimals).replace(".", decimal);
  };
  return `\ufeff${[heads, ...rows].map((row) => `${row.map(field).join(separator)}\r\n`).join("")}`;
}

/** Time by the browser's clock as spreadsheets take it, "2026-11-23 15:40+01:00". No two are equal when the clock goes back. */
export function clockTime(seconds: number): string {
  const west = new Date(seconds * 1_000).getTimezoneOffset();
  const iso = (minutes: number): string => new Date(minutes * 60_000).toISOString();
  const local = iso(seconds / 60 - west);
  return `${local.slice(0, 16).replace("T", " ")}${west > 0 ? "-" : "+"}${iso(Math.abs(west)).slice(11, 16)}`;
}
