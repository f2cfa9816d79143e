/**
 * npm run size [-- <board> …] [--plain[=pass,…]] [--without=part,…]: reports the firmware's flash use by category and whether the image is within budget.
 * npm run size -- --record: records what bundle and page have, which `npm test` compares; this one needs no SDK.
 */
import { spawnSync } from "node:child_process";
import { BOARDS, linkBoard, slotBytes } from "./moddable.mjs";
import { root, setUp } from "./setup.mjs";
import { passesIn } from "./shrink/passes.mjs";

await setUp();
const { budgetOf } = await import("./size/budget.mjs");
const { imageOf } = await import("./size/image.mjs");

const { passes, rest } = passesIn(process.argv.slice(2));
/** `--without=part,…`: in place of the manifest's. */
const WITHOUT = "--without=";
const words = rest.filter((word) => !word.startsWith(WITHOUT));
const left = rest.find((word) => word.startsWith(WITHOUT));
const without = left?.slice(WITHOUT.length).split(",").filter(Boolean);
const count = (number) => number.toLocaleString("en-US").padStart(11);
const say = (name, ...numbers) => console.log(`  ${name.padEnd(28)}${numbers.map(count).join("")}`);

async function recordSizes() {
  const { bundleDevice } = await import("./device-bundle.mjs");
  const { record, recorded, sizesOf } = await import("./size/recorded.mjs");
  const { status } = spawnSync(process.execPath, [`${root}scripts/page.mjs`], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  const before = recorded();
  const sizes = await sizesOf((await bundleDevice()).get("firmware.js") ?? "");
  for (const [part, bytes] of Object.entries(sizes))
    say(`${part}: was, is, more`, before[part], bytes, bytes - before[part]);
  record(sizes);
}

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
  say("mc.xs.c, compiled: about", firmware);
  say("the page and the roots", page);
  say("the rest, measured", measured);
  say("the image: about", image);
  const budget = budgetOf(board);
  say("budget, slot", budget, slot);
  if (image > Math.min(budget, slot)) {
    console.error(`${board}: the image is ${image - Math.min(budget, slot)} bytes too large.`);
    process.exitCode = 1;
  }
}

if (words.includes("--record")) await recordSizes();
else for (const board of words.length ? words : BOARDS) await reportBoard(board);
