/** Tables of what a bench measures: printed, and with --write a section of docs/figures.md (figures.ts). */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { root } from "../../host-sim/root.mjs";
import { complete } from "../../scripts/docs/generated.mjs";
import { measuredAt } from "../../scripts/measured-at.mjs";
import { FIGURES, withSection, type Cell, type Table } from "./figures";

/** What the figures depend on. */
const SOURCES = ["boards", "host-sim", "manifest.json", "modules", "scripts", "src", "test/bench", "web"];
const WRITE = "--write";

/** Which rows or parts are asked for; all of them without a word. */
export const words = process.argv.slice(2).filter((word) => word !== WRITE);

const tables: Table[] = [];

/** Prints a Markdown table, unless it is empty. */
export function table(title: string, head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  if (!rows.length) return;
  tables.push({ title, head, rows });
  const texts = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [first = [], ...rest] = texts;
  console.log(
    [
      `\n${title}\n`,
      line(first),
      `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`,
      ...rest.map(line),
    ].join("\n"),
  );
}

/** With --write: what was printed since the last section becomes that of `command` in docs/figures.md. */
export function writeIfAsked(command: string, isWhole = !words.length): void {
  if (!process.argv.includes(WRITE)) return;
  if (!isWhole) throw new Error(`${WRITE} is for all of it: without ${words.join(" ")}`);
  const path = `${root}${FIGURES}`;
  const about = `At ${measuredAt(SOURCES)}; Node.js ${process.version}, ${cpus().length} cores.`;
  writeFileSync(path, complete(FIGURES, withSection(readFileSync(path, "utf8"), command, about, tables.splice(0))));
}
