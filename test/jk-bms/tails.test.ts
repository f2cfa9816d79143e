/** When the end of the telemetry is read, of packs that share a bus. */
import { expect, it } from "vitest";
import { TAIL_INTERVAL } from "../../modules/jk-bms/limits";
import { Tails } from "../../modules/jk-bms/tails";
import { lineBoard } from "../support/bms/line";

it.each([1, 4])("is due when an interval for each of %i packs has passed since the pack's own", (packs) => {
  const { clock } = lineBoard();
  const tails = new Tails(packs);
  const at = tails.read();
  expect(tails.isDue(at)).toBe(false);
  clock.runFor(packs * TAIL_INTERVAL - 1);
  expect(tails.isDue(at)).toBe(false);
  clock.runFor(1);
  expect(tails.isDue(at)).toBe(true);
  clock.runFor(packs * TAIL_INTERVAL);
  expect(tails.isDue(at)).toBe(true);
});

it("is due, of the packs that wait for it, for one every interval", () => {
  const { clock } = lineBoard();
  const tails = new Tails(3);
  const first = tails.read();
  const second = tails.read();
  clock.runFor(3 * TAIL_INTERVAL);
  expect([tails.isDue(first), tails.isDue(second)]).toEqual([true, true]);
  tails.read();
  expect(tails.isDue(second)).toBe(false);
  clock.runFor(TAIL_INTERVAL - 1);
  expect(tails.isDue(second)).toBe(false);
  clock.runFor(1);
  expect(tails.isDue(second)).toBe(true);
});
