/** docs/sizes.md: the table of sizes that `npm run size -- --write` writes, and that the tests compare with. One line a row, so that branches merge. */
import { readFileSync, writeFileSync } from "node:fs";
import { root } from "../../host-sim/specifiers.mjs";

const FILE = `${root}docs/sizes.md`;
const HEAD = `# Sizes

Written by \`npm run size -- --write\`, not edited. Bytes; what they may be: [performance.md](performance.md#the-budget).
`;
const PAGE = "## Page and bundle";
const IMAGES = "## Images";

const count = (number) => number.toLocaleString("en-US");
const read = () => readFileSync(FILE, "utf8");

/** What an image is made of. */
export const SOURCES = ["boards", "manifest.json", "modules", "scripts", "src", "web"];

const table = (head, rows) =>
  [head, head.map((_, at) => (at ? "---:" : "---")), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const sectionOf = (text, title) => {
  const start = text.indexOf(title);
  if (start < 0) throw new Error(`docs/sizes.md has no "${title}"; npm run size -- --write makes it`);
  const end = text.indexOf("\n## ", start);
  return text.slice(start, end < 0 ? undefined : end + 1).trim();
};

/** @returns {import("./sizes.mjs").Sizes} of page and bundle as in `text` */
export const sizesIn = (text = read()) =>
  Object.fromEntries(
    [...sectionOf(text, PAGE).matchAll(/^\| ([^ |]+) \| ([\d,]+) \|$/gm)].map(([, name, bytes]) => [
      name,
      Number(bytes?.replaceAll(",", "")),
    ]),
  );

const write = (page, images) => writeFileSync(FILE, `${HEAD}\n${page}\n\n${images}\n`);

/** @param {import("./sizes.mjs").Sizes} sizes */
export function writeSizes(sizes, at) {
  const rows = Object.entries(sizes).map(([name, bytes]) => [name, count(bytes)]);
  const text = `${PAGE}\n\nAt ${at}: the page's files, compressed, and the firmware's bundle without what only formats it.\n\n${table(["File", "Bytes"], rows)}`;
  write(text, sectionOf(read(), IMAGES));
}

/** `rows`: `[board, parts left out, slots, mc.xs.c, page and roots, image, left of the budget]`. */
export function writeImages(rows, at) {
  const head = ["Board", "Without", "Slots", "`mc.xs.c`", "Page and roots", "Image: about", "Left of the budget"];
  const cells = rows.map(([board, without, ...numbers]) => [
    board,
    without.map((part) => `\`${part}\``).join(", ") || "nothing",
    ...numbers.map(count),
  ]);
  write(sectionOf(read(), PAGE), `${IMAGES}\n\nAt ${at}, linked with the SDK.\n\n${table(head, cells)}`);
}
