import { beforeEach, describe, expect, it } from "vitest";
import { LOOK_INTERVAL, STUCK_AFTER } from "../../../src/network/limits";
import { Recovery } from "../../../src/network/wifi/recovery";

const START = 2 ** 31 - STUCK_AFTER / 2;

let recovery: Recovery;
const at = (ms: number, lacking = true): boolean => recovery.step((START + ms) | 0, lacking);

beforeEach(() => {
  recovery = new Recovery();
  at(0);
});

describe("a Wi-Fi without an address", () => {
  it.each([
    [STUCK_AFTER - 1, false],
    [STUCK_AFTER, true],
    [STUCK_AFTER + 1, true],
  ])("is looked for after %i ms: %s", (ms, isDue) => expect(at(ms)).toBe(isDue));

  it.each([
    [LOOK_INTERVAL - 1, false],
    [LOOK_INTERVAL, true],
    [LOOK_INTERVAL + 1, true],
  ])("is looked for again %i ms after a look: %s", (ms, isDue) => {
    recovery.looked((START + STUCK_AFTER) | 0);
    expect(at(STUCK_AFTER + ms)).toBe(isDue);
  });

  it("has the time anew once it is started anew", () => {
    recovery.looked((START + STUCK_AFTER) | 0);
    recovery.started((START + STUCK_AFTER) | 0);
    expect([at(2 * STUCK_AFTER - 1), at(2 * STUCK_AFTER), recovery.starts]).toEqual([false, true, 1]);
  });

  it("starts over when it had one, or has none to expect", () => {
    recovery.started(START | 0);
    at(STUCK_AFTER / 2, false);
    at(STUCK_AFTER / 2 + 1);
    expect([at(STUCK_AFTER), at(STUCK_AFTER * 1.5), recovery.starts]).toEqual([false, false, 0]);
    expect(at(STUCK_AFTER * 1.5 + 1)).toBe(true);
  });
});
