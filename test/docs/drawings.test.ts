/** The drawings of docs/start: up to date, readable, and what they say is what the boards' files and docs/boards.md say. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PINS } from "../../scripts/drawings/cable.mjs";
import { COLOURS } from "../../scripts/drawings/drawing.mjs";

const FOLDER = "docs/images/";
/** Page, drawing, words. */
const SHOWN = ["docs/start/buy.md", "docs/start/wiring.md"].flatMap((page) =>
  [...readFileSync(page, "utf8").matchAll(/<img src="\.\.\/images\/([\w-]+)\.svg" alt="([^"]*)"/g)].map(
    ([, name = "", words = ""]) => ({ page, name, words }),
  ),
);
const wordsOf = (name: string): string => SHOWN.find((one) => one.name === name)?.words ?? "";
const drawn = readdirSync(FOLDER)
  .filter((file) => /^(?:buy|wiring)-/.test(file))
  .map((file) => file.replace(".svg", ""));
const boards = readFileSync("docs/boards.md", "utf8");

it("they are up to date: node scripts/drawings.mjs writes them", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/drawings.mjs", "--check"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

it("each of the three answers and each step of the wiring has one", () => {
  expect(SHOWN.filter(({ page }) => page.endsWith("buy.md")).map(({ name }) => name)).toEqual([
    "buy-one",
    "buy-bank",
    "buy-ethernet",
  ]);
  expect(SHOWN.map(({ name }) => name).sort()).toEqual(drawn.sort());
  expect(SHOWN.length).toBeGreaterThan(8);
});

it("each says what must never be connected, in texts of 12 px at least on a phone", () => {
  for (const name of drawn) {
    const svg = readFileSync(`${FOLDER}${name}.svg`, "utf8");
    expect(svg, name).toMatch(/class="never"[^>]*>Never: /);
    expect(svg, name).toContain('viewBox="0 0 360 ');
    const sizes = [...svg.matchAll(/font-size="(\d+)"/g)].map(([, size]) => Number(size));
    expect(Math.min(...sizes), name).toBeGreaterThanOrEqual(12);
  }
});

it("the pins of the plug are those of docs/boards.md, in the drawing and in words", () => {
  const rows = [...boards.matchAll(/^\| (\d) +\| (A|B|GND) +\| ([\w-]+) +\|$/gm)].map(([, pin, signal, wire]) => [
    Number(pin),
    wire,
    signal,
  ]);
  expect(rows.length).toBe(6);
  expect(PINS.filter(([, , signal]) => signal)).toEqual(rows);
  for (const [pin, wire, signal] of rows) expect(wordsOf("wiring-plug")).toContain(`${pin} ${wire} is ${signal}`);
});

it.each(["wt32_eth01", "nodemcu", "esp32c3", "esp32s3"])("the pins of %s are those of its manifest", (board) => {
  const { config } = JSON.parse(readFileSync(`boards/${board}/manifest.json`, "utf8")) as {
    config: { pins: { bms: { receive: number; transmit: number } } };
  };
  const { receive, transmit } = config.pins.bms;
  expect(wordsOf("wiring-transceiver")).toContain(`${receive} and ${transmit} on the`);
  const svg = readFileSync(`${FOLDER}wiring-transceiver.svg`, "utf8");
  expect(svg).toContain(`>RXD is ${receive}, TXD is ${transmit}<`);
});

/** Of WCAG 2. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string): number => {
    const digits = colour.length === 4 ? colour.replace(/\w/g, "$&$&") : colour;
    const [red, green, blue] = [1, 3, 5]
      .map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [number, number, number];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

it.each([
  ["light", 0],
  ["dark", 1],
] as const)("their texts can be read in the %s, and each wire differs from the paper", (_, at) => {
  for (const box of ["paper", "pack", "part", "board", "other"] as const)
    expect(contrast(COLOURS.ink[at], COLOURS[box][at]), box).toBeGreaterThan(7);
  expect(contrast(COLOURS.never[at], COLOURS.paper[at])).toBeGreaterThan(4.5);
  for (const wire of ["plus", "minus", "orange", "green", "blue", "brown"] as const)
    expect(contrast(COLOURS[wire][at], COLOURS.paper[at]), wire).toBeGreaterThan(3);
});
