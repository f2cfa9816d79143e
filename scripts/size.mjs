/** npm run size [-- <board> …] [--plain[=pass,…]]: reports the firmware's flash use by category and whether the image is within budget. */
import { BOARDS, linkBoard, slotBytes } from "./moddable.mjs";
import { setUp } from "./setup.mjs";
import { passesIn } from "./shrink/passes.mjs";

await setUp();
const { budgetOf } = await import("./size/budget.mjs");
const { imageOf } = await import("./size/image.mjs");

const { passes, rest: chosen } = passesIn(process.argv.slice(2));
const slot = slotBytes();
const count = (number) => number.toLocaleString("en-US").padStart(11);
const say = (name, ...numbers) => console.log(`  ${name.padEnd(28)}${numbers.map(count).join("")}`);

for (const board of chosen.length ? chosen : BOARDS) {
  const { slots, causes, bytes, firmware, page, rest, image } = imageOf(board, await linkBoard(board, passes));
  console.log(`\n${board}: slots of the preloaded heap by cause, and bytes`);
  for (const [cause, found] of [...causes].sort(([, one], [, other]) => other.slots - one.slots))
    say(cause, found.slots, found.slots * 16);
  say("total", slots, bytes.heap);
  console.log("bytes");
  for (const [part, size] of Object.entries(bytes)) say(part, size);
  say("mc.xs.c, compiled: about", firmware);
  say("the page and the roots", page);
  say("the rest, measured", rest);
  say("the image: about", image);
  const budget = budgetOf(board);
  say("budget, slot", budget, slot);
  if (image > Math.min(budget, slot)) {
    console.error(`${board}: the image is ${image - Math.min(budget, slot)} bytes too large.`);
    process.exitCode = 1;
  }
}
