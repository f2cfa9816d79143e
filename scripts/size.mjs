/**
 * npm run size [-- <board> …] [--plain[=pass,…]] [--without=part,…]: reports the firmware's flash use by category and whether the image is within budget.
 * npm run size -- --write: writes docs/sizes.md, which `npm test` compares with: bundle and page, and with the SDK (MODDABLE) all images.
 */
import { measuredAt } from "./measured-at.mjs";
import { BOARDS, linkBoard, slotBytes } from "./moddable.mjs";
import { setUp } from "./setup.mjs";
import { passesIn } from "./shrink/passes.mjs";

await setUp();
const { budgetOf, withoutOf } = await import("./size/budget.mjs");
const { imageOf } = await import("./size/image.mjs");

const { passes, rest } = passesIn(process.argv.slice(2));
/** `--without=part,…`: in place of the manifest's. */
const WITHOUT = "--without=";
const words = rest.filter((word) => !word.startsWith(WITHOUT));
const left = rest.find((word) => word.startsWith(WITHOUT));
const without = left?.slice(WITHOUT.length).split(",").filter(Boolean);
const count = (number) => number.toLocaleString("en-US").padStart(11);
const say = (name, ...numbers) => console.log(`  ${name.padEnd(28)}${numbers.map(count).join("")}`);

async function writePageAndBundle(at) {
  const { buildWeb } = await import("../web/build.mjs");
  const { bundleDevice } = await import("./device-bundle.mjs");
  const { sizesOf } = await import("./size/sizes.mjs");
  const { sizesIn, writeSizes } = await import("./size/table.mjs");
  const before = sizesIn();
  const facts = await buildWeb({ log: () => undefined });
  const sizes = await sizesOf(facts, (await bundleDevice()).get("firmware.js") ?? "");
  for (const [name, bytes] of Object.entries(sizes)) say(name, before[name] ?? 0, bytes, bytes - (before[name] ?? 0));
  writeSizes(sizes, at);
}

/** Whose script docs/sizes.md has in parts: the board with the least room. */
const TIGHTEST = "esp32c3";

/** @returns its row of docs/sizes.md */
async function reportBoard(board) {
  const slot = slotBytes();
  const linked = await linkBoard(board, passes, without);
  const { slots, causes, bytes, firmware, page, rest: measured, image } = imageOf(board, linked);
  console.log(`\n${board}: slots of the preloaded heap by cause, and bytes`);
  for (const [cause, found] of [...causes].sort(([, one], [, other]) => other.slots - one.slots))
    say(cause, found.slots, found.slots * 16);
  say("total", slots, bytes.heap);
  console.log("bytes");
  for (const [part, size] of Object.entries(bytes)) say(part, size);
  say("mc.xs.c, counted", firmware);
  say("the page and the roots", page);
  say("the rest, measured", measured);
  say("the image: about", image);
  if (isWriting && board === TIGHTEST) writeScript(board, bytes, causes, at);
  const budget = budgetOf(board).image;
  say("budget, slot", budget, slot);
  if (image > Math.min(budget, slot)) {
    console.error(`${board}: the image is ${image - Math.min(budget, slot)} bytes too large.`);
    process.exitCode = 1;
  }
  return /** @type {const} */ ([board, without ?? withoutOf(board), slots, firmware, page, image, budget - image]);
}

const isWriting = words.includes("--write");
const { SOURCES, writeImages, writeScript } = await import("./size/table.mjs");
const at = isWriting ? measuredAt(SOURCES) : "";
if (isWriting) await writePageAndBundle(at);
if (!isWriting || process.env.MODDABLE) {
  const asked = words.filter((word) => word !== "--write");
  const rows = [];
  for (const board of asked.length && !isWriting ? asked : BOARDS) rows.push(await reportBoard(board));
  if (isWriting) writeImages(rows, at);
} else console.log("MODDABLE is not set: the images of docs/sizes.md stay as they are.");
