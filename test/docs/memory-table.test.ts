/** Figures of memory in docs/performance.md that a replacement by the board's name once changed to those of images. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Of the ESP32 and the ESP32-C3, bytes (data sheets); the C3's is the smaller. */
const SRAM = 400 * 1024;
/** Static RAM of the C3, the first table's. */
const STATIC = 78_604;

const page = readFileSync("docs/performance.md", "utf8");
const cellsOf = (line: string): string[] => line.split("|").map((cell) => cell.trim());
const number = (cell: string): number => Number(cell.replace(/<!--.*?-->/, "").replaceAll(",", ""));

it("the parts of the static RAM of each board add up, and fit the chip", () => {
  const [, table = ""] = /^(\| Static RAM, bytes [^]*?)\n\n/m.exec(page) ?? [];
  const rows = table.split("\n").slice(2).map(cellsOf);
  expect(rows.length).toBeGreaterThan(2);
  for (const [, board, ...cells] of rows) {
    const [code = NaN, data = NaN, zeroed = NaN, together] = cells.map(number);
    expect([board, code + data + zeroed]).toEqual([board, together]);
    expect(together).toBeLessThan(SRAM);
  }
});

it("so do XS and all that else is always there, on each chip", () => {
  const [, table = ""] = /^(\| Bytes, everything on [^]*?)\n\n/m.exec(page) ?? [];
  const rows = table.split("\n").slice(2).map(cellsOf);
  expect(rows.length).toBeGreaterThan(5);
  for (const column of [2, 3])
    expect(rows.reduce((sum, row) => sum + number(row[column] ?? ""), 0)).toBeLessThan(SRAM - STATIC);
});
