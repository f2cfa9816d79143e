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

/** Prefixes each row with wall-clock time (ISO 8601, UTC) for spreadsheets; the device itself may not know the time. `now` in ms. */
export function withClock(text: string, now: number): string {
  const [head = "", ...lines] = text.split(/\r?\n/);
  const rows = lines.filter(Boolean).map((line) => `${clockTime(now, Number(line.split(",")[0]))},${line}`);
  return `time,${head}\n${rows.join("\n")}${rows.length ? "\n" : ""}`;
}

/** Whole seconds, the resolution of the rows. */
const clockTime = (now: number, seconds: number): string =>
  new Date(now + seconds * 1_000).toISOString().replace(/\.\d+/, "");
