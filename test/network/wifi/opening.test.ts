import { beforeEach, describe, expect, it } from "vitest";
import { LONELY_AFTER, PORTAL_IDLE } from "../../../src/network/limits";
import { Opening, type Circumstances } from "../../../src/network/wifi/opening";

const SECOND = 1_000;
const DAY = 86_400 * SECOND;

let opening: Opening;
let now: number;
let circumstances: Circumstances;

function begin(at = 0): void {
  now = at;
  opening = new Opening(now | 0);
  circumstances = { online: false, noCable: true, chosen: true, failed: false };
}
beforeEach(() => begin());

const pass = (ms: number, change: Partial<Circumstances> = {}, interval = SECOND): boolean => {
  circumstances = { ...circumstances, ...change };
  for (const end = now + ms; now < end;) {
    now = Math.min(now + interval, end);
    opening.step(now | 0, circumstances);
  }
  return opening.open;
};
const step = (change: Partial<Circumstances> = {}): boolean => {
  circumstances = { ...circumstances, ...change };
  opening.step(now | 0, circumstances);
  return opening.open;
};

describe("the access point", () => {
  it("opens on the first start: no Wi-Fi chosen, no cable", () => {
    expect(step({ chosen: false, noCable: false })).toBe(false);
    expect(step({ noCable: true })).toBe(true);
  });

  it("opens when the chosen Wi-Fi cannot be joined, not while it is being tried", () => {
    expect(pass(20 * SECOND)).toBe(false);
    expect(step({ failed: true })).toBe(true);
  });

  it("gives a lost network time to return", () => {
    step({ online: true });
    expect(pass(LONELY_AFTER - 1, { online: false, failed: true })).toBe(false);
    expect(pass(1)).toBe(true);
  });

  it("gives an unplugged cable time to return", () => {
    step({ online: true, chosen: false, noCable: false });
    expect(pass(LONELY_AFTER - 1, { online: false, noCable: true })).toBe(false);
    expect(pass(1)).toBe(true);
  });

  it("opens when a cable has no network", () => {
    expect(pass(LONELY_AFTER - 1, { chosen: false, noCable: false })).toBe(false);
    expect(pass(1)).toBe(true);
  });

  it("opens at once when another Wi-Fi cannot be joined", () => {
    step({ online: true });
    opening.restart();
    expect(step({ online: false, failed: false })).toBe(false);
    expect(step({ failed: true })).toBe(true);
  });

  it("closes when the network has been stable for a while", () => {
    step({ failed: true });
    expect(pass(PORTAL_IDLE - 1, { online: true, failed: false })).toBe(true);
    expect(pass(1)).toBe(false);
  });

  it("stays open while it is used, and while the network comes and goes", () => {
    step({ failed: true });
    pass(PORTAL_IDLE - 1, { online: true, failed: false });
    opening.used(now);
    expect(pass(PORTAL_IDLE - 1)).toBe(true);
    step({ online: false });
    expect(pass(PORTAL_IDLE - 1, { online: true })).toBe(true);
    expect(pass(1)).toBe(false);
    opening.used(now);
    expect(step()).toBe(false);
  });

  it("stays open for months without a network, and closed for months with one", () => {
    begin(2 ** 31 - DAY);
    step({ chosen: false });
    expect(pass(100 * DAY, {}, 600 * SECOND)).toBe(true);
    expect(pass(100 * DAY, { online: true, chosen: true }, 600 * SECOND)).toBe(false);
    expect(pass(LONELY_AFTER - SECOND, { online: false })).toBe(false);
    expect(pass(SECOND)).toBe(true);
  });
});
