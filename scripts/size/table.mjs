/**
 * docs/sizes.md: what `npm run size -- --write` counts, which the tests compare with, and what `npm run build:esp32 -- <board> --write` linked. One line
 * a row, so that branches merge.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { root } from "../../host-sim/specifiers.mjs";
import { SLOT_BYTES } from "./heap.mjs";

const FILE = `${root}docs/sizes.md`;
const HEAD = `# Sizes

Written by \`npm run size -- --write\` and \`npm run build:esp32 -- <board> --write\`, not edited. Bytes; what they may be: [performance.md](performance.md#the-budget).`;
const PAGE = "## Page and bundle";
const IMAGES = "## Images";
const SCRIPT = "## The script in flash";
const LINKED = "## An image as it was linked";
/** In this order. */
const SECTIONS = [PAGE, IMAGES, SCRIPT, LINKED];

const count = (number) => number.toLocaleString("en-US");
const read = () => readFileSync(FILE, "utf8");

/** What an image is made of. */
export const SOURCES = ["boards", "manifest.json", "modules", "scripts", "src", "web"];

const table = (head, rows) =>
  [head, head.map((_, at) => (at ? "---:" : "---")), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const sectionOf = (text, title) => {
  const start = text.indexOf(title);
  if (start < 0) return "";
  const end = text.indexOf("\n## ", start);
  return text.slice(start, end < 0 ? undefined : end + 1).trim();
};

/** @returns {import("./sizes.mjs").Sizes} of page and bundle as in `text` */
export const sizesIn = (text = read()) => {
  const section = sectionOf(text, PAGE);
  if (!section) throw new Error(`${FILE} has no ${PAGE}: npm run size -- --write makes it`);
  return Object.fromEntries(
    [...section.matchAll(/^\| ([^ |]+) \| ([\d,]+) \|$/gm)].map(([, name, bytes]) => [
      name,
      Number(bytes?.replaceAll(",", "")),
    ]),
  );
};

/** Puts a section in the place of the one with this title. */
function write(title, about, head, rows) {
  const before = read();
  const text = `${title}\n\n${about}\n\n${table(head, rows)}`;
  const sections = SECTIONS.map((one) => (one === title ? text : sectionOf(before, one))).filter(Boolean);
  writeFileSync(FILE, `${[HEAD, ...sections].join("\n\n")}\n`);
}

const counted = (row) => row.map((cell) => (typeof cell === "number" ? count(cell) : cell));

/** @param {import("./sizes.mjs").Sizes} sizes */
export function writeSizes(sizes, at) {
  const about = `At ${at}: the page's files, compressed, and the firmware's bundle without what only formats it.`;
  write(PAGE, about, ["File", "Bytes"], Object.entries(sizes).map(counted));
}

/** `rows`: `[board, parts left out, slots, mc.xs.c, page and roots, image, left of the budget]`. */
export function writeImages(rows, at) {
  const head = ["Board", "Without", "Slots", "`mc.xs.c`", "Page and roots", "Image: about", "Left of the budget"];
  const cells = rows.map(([board, without, ...numbers]) =>
    counted([board, without.map((part) => `\`${part}\``).join(", ") || "nothing", ...numbers]),
  );
  write(IMAGES, `At ${at}, linked with the SDK.`, head, cells);
}

/** `bytes` of `mc.xs.c` by kind; `causes`: slots of its heap. */
export function writeScript(board, bytes, causes, at) {
  const kinds = Object.entries(bytes).filter(([kind]) => kind !== "heap");
  const slots = [...causes].sort(([, one], [, other]) => other.slots - one.slots);
  write(
    SCRIPT,
    `\`mc.xs.c\` of ${board} at ${at}, as compiled for it: the preloaded heap by cause, then what else it has.`,
    ["What", "Bytes"],
    [...slots.map(([cause, found]) => counted([cause, found.slots * SLOT_BYTES])), ...kinds.map(counted)],
  );
}

/** `parts`: linkedParts of its map. */
export function writeLinked(board, parts, at) {
  const head = ["Part", "Flash", "Code in RAM", "Data", "Zeroed"];
  write(
    LINKED,
    `${board} at ${at}. An image has the first three; static RAM are the last three.`,
    head,
    parts.map(counted),
  );
}
