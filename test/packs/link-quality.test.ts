import { beforeEach, describe, expect, it } from "vitest";
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

describe("two packs that share an address", () => {
  const PACKS = 4;
  /** Each pack is polled `polls` times, of which `garbled` of the second and `others` of each other one have a wrong checksum. */
  function round(polls: number, garbled: number, others = 0): boolean[] {
    quality = new LinkQuality(PACKS);
    for (let index = 0; index < polls; index++)
      for (let pack = 0; pack < PACKS; pack++) {
        const isGarbled = Number(index < (pack === 1 ? garbled : others));
        quality.ended(1, isGarbled, pack, isGarbled);
      }
    return Array.from({ length: PACKS }, (_, pack) => quality.isContested(pack));
  }
  const nobody = [false, false, false, false];

  it("are told by wrong checksums of this one address", () => {
    expect(round(100, 11)).toEqual([false, true, false, false]);
    expect(round(100, 10)).toEqual(nobody);
    expect(round(MIN_QUALITY_REQUESTS - 1, MIN_QUALITY_REQUESTS - 1)).toEqual(nobody);
  });

  it("are not told by noise, which garbles others too", () => {
    expect(round(100, 31, 1)).toEqual([false, true, false, false]);
    expect(round(100, 30, 1)).toEqual(nobody);
    expect(round(100, 30, 30)).toEqual(nobody);
  });

  it("are not told by silence, nor of one pack alone, nor where nothing comes from the others", () => {
    quality = new LinkQuality(2);
    for (let index = 0; index < 100; index++) {
      quality.ended(1, 1, 0);
      quality.ended(1, 1, 1, 1);
    }
    expect([quality.isContested(0), quality.isContested(1)]).toEqual([false, false]);
    quality = new LinkQuality();
    for (let index = 0; index < 100; index++) quality.ended(1, 1, 0, 1);
    expect(quality.isContested(0)).toBe(false);
  });
});
