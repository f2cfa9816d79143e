import { beforeEach, expect, it } from "vitest";
import { LINK_QUALITY_PERIOD, LINK_QUALITY_PERIODS, MIN_QUALITY_REQUESTS } from "../../src/packs/limits";
import { LinkQuality } from "../../src/packs/link-quality";
import { MIN_INTERVAL } from "../../src/settings/limits";
import { poweredBoard } from "../support/system/simulated-board";

const SECOND = 1_000;
let board: ReturnType<typeof poweredBoard>;
let quality: LinkQuality;
beforeEach(() => {
  board = poweredBoard();
  quality = new LinkQuality();
});

/** `count` polls of one request, a second apart, of which the first `lost` are lost. */
function poll(count: number, lost: number): void {
  for (let index = 0; index < count; index++) {
    quality.ended(1, Number(index < lost));
    board.clock.runFor(SECOND);
  }
}

it("is weak when more than a tenth of the requests is lost, and poor when more than a quarter is", () => {
  const judged = (): boolean[] => [quality.isWeak(), quality.isPoor()];
  poll(100, 10);
  expect(judged()).toEqual([false, false]);
  poll(1, 1);
  expect(judged()).toEqual([true, false]);
  poll(19, 19);
  expect(judged()).toEqual([true, false]);
  poll(1, 1);
  expect(judged()).toEqual([true, true]);
});

it("counts the requests that were lost before a poll was answered", () => {
  for (let index = 0; index < 20; index++) quality.ended(3, index % 2);
  expect(quality.isWeak()).toBe(true);
  quality = new LinkQuality();
  for (let index = 0; index < 20; index++) quality.ended(3, Number(index % 4 === 0));
  expect(quality.isWeak()).toBe(false);
});

it("is not judged by fewer requests than MIN_QUALITY_REQUESTS", () => {
  poll(MIN_QUALITY_REQUESTS - 1, MIN_QUALITY_REQUESTS - 1);
  expect(quality.isPoor()).toBe(false);
  poll(1, 0);
  expect(quality.isPoor()).toBe(true);
});

it("forgets what is older than five minutes, with and without polls meanwhile", () => {
  const long = (LINK_QUALITY_PERIODS * LINK_QUALITY_PERIOD) / SECOND;
  poll(60, 60);
  poll(long - 61, 0);
  expect(quality.isWeak()).toBe(true);
  poll(60, 0);
  expect(quality.isWeak()).toBe(false);
  poll(60, 60);
  expect(quality.isWeak()).toBe(true);
  board.clock.runFor(LINK_QUALITY_PERIODS * LINK_QUALITY_PERIOD);
  expect(quality.isWeak()).toBe(false);
});

it("counts as many requests as there can be: at the shortest interval, five reads in a poll, each tried three times", () => {
  const most = 15 * Math.ceil(LINK_QUALITY_PERIOD / MIN_INTERVAL);
  for (let index = 0; index < most; index++) quality.ended(1, Number(index < most / 11));
  expect([quality.isWeak(), quality.isPoor()]).toEqual([false, false]);
});

it("starts anew with another link, and across a wrap of the ticks", () => {
  poll(20, 20);
  quality.reset();
  expect(quality.isPoor()).toBe(false);
  board.clock.runFor(2 ** 31);
  poll(20, 20);
  expect(quality.isPoor()).toBe(true);
});
