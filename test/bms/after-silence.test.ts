/** A pack that was silent for a while has no poor link when it is back. Of one pack, and of the first, a middle and the last of four. */
import { expect, it } from "vitest";
import { bankOf } from "../../host-sim/bms/packs";
import { common, NONE, plus } from "../../src/conditions/set";
import { LINK, LINK_WEAK, OFFLINE } from "../../src/conditions/rows";
import { LINK_QUALITY_PERIOD, LINK_QUALITY_PERIODS } from "../../src/packs/limits";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { lineBoard } from "../support/bms/line";
import { PackOnLine } from "../support/bms/pack-on-line";
import { SoloMonitor } from "../support/bms/solo-monitor";

const SECOND = 1_000;
/** The link is judged by as much, ms. */
const JUDGED = LINK_QUALITY_PERIODS * LINK_QUALITY_PERIOD;

it.each([
  [1, 0],
  [4, 0],
  [4, 1],
  [4, 3],
] as const)("of %i packs that at %i is not told to lose replies after two minutes off", (count, place) => {
  const board = lineBoard();
  const { clock, wire } = board;
  const bank = bankOf({ clock, wire, count, evolving: false });
  const monitor = new SoloMonitor({
    settings: BANK_SETTINGS,
    opener: new PackOnLine(board),
    packs: bank.packs.map((_, at) => ({ address: at + 1, name: "", serial: "" })),
  });
  monitor.start();
  clock.runFor(JUDGED);
  const pack = monitor.packs[place]!;
  bank.packs[place]!.setOnline(false);
  clock.runFor(120 * SECOND);
  expect(common(pack.concerns, OFFLINE)).toBe(OFFLINE);
  bank.packs[place]!.setOnline(true);
  let found = NONE;
  for (let ms = 0; ms < JUDGED; ms += SECOND) {
    clock.runFor(SECOND);
    found = plus(found, pack.concerns);
  }
  expect(pack.online).toBe(true);
  expect(common(found, plus(LINK, LINK_WEAK))).toBe(0);
  monitor.close();
  bank.close();
});
