import { beforeEach, expect, it } from "vitest";
import { LINK_QUALITY_PERIOD, LINK_QUALITY_PERIODS, MIN_QUALITY_POLLS } from "../../src/packs/limits";
import { LinkQuality } from "../../src/packs/link-quality";
import { poweredBoard } from "../support/system/simulated-board";

const SECOND = 1_000;
let board: ReturnType<typeof poweredBoard>;
let quality: LinkQuality;
beforeEach(() => {
  board = poweredBoard();
  quality = new LinkQuality();
});

/** `count` polls a second apart, of which the first `lost` are lost. */
function poll(count: number, lost: number): void {
  for (let index = 0; index < count; index++) {
    quality.ended(index < lost);
    board.clock.runFor(SECOND);
  }
}

it("is poor when more than a tenth of the polls is lost", () => {
  poll(100, 10);
  expect(quality.isPoor).toBe(false);
  poll(1, 1);
  expect(quality.isPoor).toBe(true);
});

it("is not judged by fewer polls than MIN_QUALITY_POLLS", () => {
  poll(MIN_QUALITY_POLLS - 1, MIN_QUALITY_POLLS - 1);
  expect(quality.isPoor).toBe(false);
  poll(1, 0);
  expect(quality.isPoor).toBe(true);
});

it("forgets what is older than five minutes, with and without polls meanwhile", () => {
  const long = (LINK_QUALITY_PERIODS * LINK_QUALITY_PERIOD) / SECOND;
  poll(60, 60);
  poll(long - 61, 0);
  expect(quality.isPoor).toBe(true);
  poll(60, 0);
  expect(quality.isPoor).toBe(false);
  poll(60, 60);
  expect(quality.isPoor).toBe(true);
  board.clock.runFor(LINK_QUALITY_PERIODS * LINK_QUALITY_PERIOD);
  expect(quality.isPoor).toBe(false);
});

it("starts anew with another link, and across a wrap of the ticks", () => {
  poll(20, 20);
  quality.reset();
  expect(quality.isPoor).toBe(false);
  board.clock.runFor(2 ** 31);
  poll(20, 20);
  expect(quality.isPoor).toBe(true);
});
