/** Whose turn it is on the bus of several packs, and what a read may cost. */
import { LOG, SERIAL, SETUP, TELEMETRY } from "jk-bms/types";
import Time from "time";
import { beforeEach, describe, expect, it } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import {
  GRACE,
  GRACE_PAUSE,
  GRACE_SHARE,
  IDENTITY_PERIOD,
  IDENTITY_SHARE,
  LOST_IN_A_ROW,
  MAX_WAKES,
  OFFLINE_PATIENCE,
  OFFLINE_POLLS_IN_BANK,
  OFFLINE_ROUNDS,
  OFFLINE_TIME,
  OFFLINE_TURN,
  SILENT_CREDIT,
  SILENT_DEBT,
  SILENT_SHARE,
  URGENT_DEBT,
} from "../../src/packs/limits";
import type { PackRecord } from "../../src/packs/pack-record";
import { RoundRobin } from "../../src/packs/round-robin";
import { lineBoard } from "../support/bms/line";
import { table } from "../support/table";

class Pack {
  isSilent = false;
  isTrusted = true;
  online = true;
  failures = 0;
  hasBeenLate = false;
  polls = 1;
  askedAt = Time.ticks;
  identifiedAt = Time.ticks;
  readonly slow = { due: undefined as number | undefined, hasFailed: false, loaded: true, deviceInfoRead: true };

  constructor(readonly index: number) {}

  fallSilent(online: boolean): void {
    this.isSilent = true;
    this.isTrusted = false;
    this.online = online;
  }
}

let board: SimulatedBoard;
let packs: Pack[];
let robin: RoundRobin;

const run = (ms: number): void => board.clock.runFor(ms);
function start(count: number): void {
  packs = Array.from({ length: count }, (_, index) => new Pack(index));
  robin = new RoundRobin(packs as unknown as PackRecord[]);
}
const indexOf = (pack: PackRecord | undefined): number | undefined => (pack as unknown as Pack | undefined)?.index;
const next = (isDue = false): number | undefined => {
  const index = indexOf(robin.next(isDue));
  if (index !== undefined) packs[index]!.askedAt = Time.ticks;
  return index;
};
const slow = (isDue = false): number | undefined => indexOf(robin.slow(isDue));
const end = (index: number, ok: boolean, ms = 100, what: Parameters<RoundRobin["ended"]>[1] = TELEMETRY): void =>
  robin.ended(packs[index] as unknown as PackRecord, what, ms, ok);
const effort = (index: number, what: Parameters<RoundRobin["effort"]>[1] = TELEMETRY): string =>
  robin.effort(packs[index] as unknown as PackRecord, what);

/** Whom a round asks; those of `silent` do not answer. */
function round(isDue = false): number[] {
  robin.begin();
  const asked: number[] = [];
  for (let index = next(isDue); index !== undefined; index = next(isDue)) {
    asked.push(index);
    run(10);
    end(index, !packs[index]!.isSilent);
  }
  return asked;
}
/** As much later as nobody waits for silent packs. */
const rest = (): void => run(SILENT_SHARE * 100);

beforeEach(() => {
  board = lineBoard();
  start(4);
  // Silent packs have their share, no longer that of the start.
  run(GRACE + 1);
  for (const pack of packs) pack.askedAt = pack.identifiedAt = (Time.ticks - 1) | 0;
});

describe("a round", () => {
  it("asks each pack once, in the order of the list, and then nobody until the next", () => {
    expect([next(), round(), next(), round()]).toEqual([undefined, [0, 1, 2, 3], undefined, [0, 1, 2, 3]]);
  });

  it.each([0, 2, 3])("asks the silent one, at place %i, last", (place) => {
    packs[place]!.fallSilent(true);
    expect(round()).toEqual([0, 1, 2, 3].filter((index) => index !== place).concat(place));
  });

  it("asks no more than one that stays silent, the one that has waited longest", () => {
    for (const place of [0, 1, 3]) packs[place]!.fallSilent(true);
    packs[3]!.askedAt = (Time.ticks - 1_000) | 0;
    const asked = [];
    for (let at = 0; at < 4; at++) {
      asked.push(round());
      rest();
    }
    expect(asked).toEqual([
      [2, 3],
      [2, 0],
      [2, 1],
      [2, 3],
    ]);
  });

  it("goes on with the next silent one if one answers", () => {
    packs[1]!.fallSilent(true);
    packs[2]!.fallSilent(true);
    robin.begin();
    expect([next(), next(), next()]).toEqual([0, 3, 1]);
    run(10);
    end(1, true);
    expect(next()).toBe(2);
    end(2, false);
    expect(next()).toBeUndefined();
  });

  it("says how long it took if the next one was due at its end", () => {
    robin.begin();
    for (let at = 0; at < 4; at++) next();
    run(1_500);
    expect(next(true)).toBeUndefined();
    robin.begin();
    expect(robin.round).toBe(1_500);
    for (let at = 0; at < 5; at++) next(false);
    run(500);
    robin.begin();
    expect(robin.round).toBe(0);
  });
});

describe("silent packs", () => {
  it("take one part in SILENT_SHARE of the time while others answer", () => {
    packs[1]!.fallSilent(true);
    // What was saved up is spent first.
    let asked = 0;
    for (let at = 0; at < 100; at++) {
      if (round().includes(1)) asked++;
      run(70);
    }
    const before = asked;
    const from = board.clock.now;
    for (let at = 0; at < 500; at++) {
      if (round().includes(1)) asked++;
      run(70);
    }
    const spent = 100 * (asked - before);
    expect(spent / (board.clock.now - from)).toBeGreaterThan(0.9 / SILENT_SHARE);
    expect(spent / (board.clock.now - from)).toBeLessThan(1.1 / SILENT_SHARE);
  });

  describe.each([0, 2, 3])("the one at place %i", (place) => {
    /** Share of the time that it takes, in so many ms. */
    const shareIn = (ms: number): number => {
      const from = board.clock.now;
      let spent = 0;
      while (board.clock.now - from < ms) {
        if (round().includes(place)) spent += 100;
        run(70);
      }
      return spent / (board.clock.now - from);
    };
    /** It answered before. */
    const fall = (): void => {
      packs[place]!.isSilent = packs[place]!.isTrusted = false;
      end(place, false);
      packs[place]!.fallSilent(true);
    };
    const USUAL = 1.2 / SILENT_SHARE;
    const GRACED = 0.9 / GRACE_SHARE;
    /** As long as what was saved up may last. */
    const settle = (): void => void shareIn(10_000);

    it("takes one part in GRACE_SHARE at a start, for GRACE", () => {
      start(4);
      packs[place]!.fallSilent(false);
      expect(shareIn(GRACE - 1_000)).toBeGreaterThan(GRACED);
      settle();
      expect(shareIn(GRACE)).toBeLessThan(USUAL);
    });

    it("and when it has fallen silent, once in GRACE_PAUSE", () => {
      packs[place]!.fallSilent(true);
      settle();
      expect(shareIn(GRACE)).toBeLessThan(USUAL);
      const from = board.clock.now;
      fall();
      expect(shareIn(GRACE - 1_000)).toBeGreaterThan(GRACED);
      settle();
      expect(shareIn(GRACE)).toBeLessThan(USUAL);
      while (board.clock.now - from < GRACE_PAUSE - 2 * GRACE) {
        fall();
        expect(shareIn(GRACE)).toBeLessThan(USUAL);
      }
      run(2 * GRACE);
      fall();
      expect(shareIn(GRACE - 1_000)).toBeGreaterThan(GRACED);
    });

    it("and the one that is lost once, and usually answers, uses none of it up", () => {
      packs[place]!.isTrusted = true;
      end(place, false);
      round();
      fall();
      settle();
      expect(shareIn(GRACE / 2)).toBeGreaterThan(GRACED);
    });

    it("but not if it answers late: what comes late would be taken for the reply to what is asked soon", () => {
      packs[place]!.fallSilent(true);
      settle();
      packs[place]!.hasBeenLate = true;
      fall();
      expect(shareIn(GRACE)).toBeLessThan(USUAL);
    });
  });

  it("are tried one after the other at a start, until more than their share is overdrawn", () => {
    start(4);
    for (const pack of packs.slice(1)) pack.fallSilent(false);
    run(SILENT_CREDIT);
    expect(round()).toEqual([0, 1, 2, 3]);
    end(1, false, SILENT_CREDIT);
    expect(round()).toEqual([0]);
  });

  it("are tried although a pack that usually answers was lost in this round", () => {
    packs[3]!.fallSilent(true);
    robin.begin();
    expect(next()).toBe(0);
    end(0, false);
    expect([next(), next(), next()]).toEqual([1, 2, 3]);
  });

  it("save up SILENT_CREDIT at most", () => {
    run(10 * SILENT_CREDIT);
    robin.begin();
    packs[3]!.fallSilent(true);
    for (let at = 0; at < SILENT_CREDIT / (SILENT_SHARE * 100); at++) {
      expect(round()).toContain(3);
      // A read that takes no time: nothing is earned by it.
      board.clock.runFor(0);
    }
    let rounds = 0;
    while (round().includes(3)) rounds++;
    // Each round takes 40 ms.
    expect(rounds).toBeLessThanOrEqual(1);
  });

  it("overdraw SILENT_DEBT at most", () => {
    packs[3]!.fallSilent(true);
    robin.begin();
    end(3, false, 1_000_000);
    run(SILENT_DEBT - 100);
    expect(round()).not.toContain(3);
    run(100);
    expect(round()).toContain(3);
  });

  it("wait for nobody if none answers", () => {
    for (const pack of packs) pack.fallSilent(false);
    end(0, false, 1_000_000);
    const asked = [];
    for (let at = 0; at < 4; at++) asked.push(...round());
    expect(asked.sort()).toEqual([0, 1, 2, 3]);
  });

  it("that are still online come first; those that are offline take turns with them once they have waited OFFLINE_TURN", () => {
    packs[1]!.fallSilent(false);
    packs[2]!.fallSilent(true);
    run(OFFLINE_TURN / 2);
    const asked: (number | undefined)[] = [];
    const ask = (): void => void asked.push(round().find((index) => packs[index]!.isSilent));
    ask();
    rest();
    ask();
    run(OFFLINE_TURN / 2);
    for (let at = 0; at < 3; at++) {
      ask();
      rest();
    }
    expect(asked).toEqual([2, 2, 1, 2, 2]);
    packs[1]!.polls = 0;
    asked.length = 0;
    for (let at = 0; at < 4; at++) {
      packs[1]!.polls = 0;
      ask();
      rest();
    }
    expect(asked.filter((index) => index === 1)).toHaveLength(2);
  });
});

describe("a pack that is written to while it is silent", () => {
  it("is tried at once, also between two rounds, and once", () => {
    packs[2]!.fallSilent(true);
    expect(robin.hasten({ index: 2 } as never)).toBe(true);
    expect([next(), next()]).toEqual([2, undefined]);
  });

  it("has to wait while more than URGENT_DEBT is overdrawn", () => {
    packs[2]!.fallSilent(true);
    end(2, false, 1_000_000);
    robin.hasten({ index: 2 } as never);
    run(SILENT_DEBT - URGENT_DEBT);
    expect(next()).toBeUndefined();
    run(1);
    expect(next()).toBe(2);
  });
});

describe("a slow block", () => {
  it("is read of the first pack that has one due, of one that is not loaded before all others", () => {
    expect(slow()).toBeUndefined();
    packs[1]!.slow.due = packs[2]!.slow.due = SETUP;
    expect(slow()).toBe(1);
    packs[2]!.slow.loaded = false;
    packs[3]!.slow.due = SETUP;
    packs[3]!.slow.loaded = false;
    expect(slow()).toBe(2);
  });

  it("of a pack that did not serve it waits as a silent pack does", () => {
    packs[1]!.slow.due = SETUP;
    packs[1]!.slow.hasFailed = true;
    run(1);
    expect(slow()).toBe(1);
    end(1, false, 1_000);
    packs[0]!.isTrusted = false;
    end(0, false, SILENT_CREDIT, SETUP);
    expect(slow()).toBeUndefined();
    packs[2]!.slow.due = SETUP;
    expect(slow()).toBe(2);
  });

  it("waits while the next round is due, but for one after a round that was late", () => {
    packs[1]!.slow.due = SETUP;
    expect(slow(true)).toBeUndefined();
    round(true);
    expect([slow(true), slow(true)]).toEqual([1, undefined]);
    round(false);
    expect([slow(true), slow(false)]).toEqual([undefined, 1]);
  });
});

describe("the serial number", () => {
  it("is asked for of the pack that has not been asked longest, after IDENTITY_PERIOD, if no slow block is due", () => {
    packs[2]!.identifiedAt = Time.ticks;
    run(1_000);
    for (const place of [0, 1, 3]) packs[place]!.identifiedAt = Time.ticks;
    run(IDENTITY_PERIOD - 1_001);
    expect(slow()).toBeUndefined();
    run(1);
    expect(slow()).toBe(2);
    packs[3]!.slow.due = SETUP;
    expect(slow()).toBe(3);
    packs[3]!.slow.due = undefined;
    run(1_000);
    packs[1]!.identifiedAt = (packs[1]!.identifiedAt - 5_000) | 0;
    expect(slow()).toBe(1);
  });

  it("is not asked for of a pack that failed its last poll, or whose device information is unknown", () => {
    run(IDENTITY_PERIOD);
    packs[0]!.failures = 1;
    packs[3]!.slow.deviceInfoRead = false;
    expect(slow()).toBe(2);
  });

  it("takes one part in IDENTITY_SHARE of the time at most", () => {
    run(IDENTITY_PERIOD);
    end(0, true, 100, SERIAL);
    run(100 * IDENTITY_SHARE - 1);
    expect(slow()).toBeUndefined();
    run(1);
    expect(slow()).toBe(3);
    // What else is read costs nothing of that.
    end(1, true, 100_000, SETUP);
    expect(slow()).toBe(3);
  });
});

describe("what a read may cost", () => {
  it("is three attempts of a pack that usually answers, until LOST_IN_A_ROW were lost in the round", () => {
    robin.begin();
    for (let lost = 0; lost < LOST_IN_A_ROW; lost++) {
      expect(effort(3)).toBe("thrice");
      end(lost, false);
    }
    expect(effort(3)).toBe("once");
    end(3, true);
    expect(effort(3)).toBe("thrice");
    for (let lost = 0; lost < LOST_IN_A_ROW; lost++) end(lost, false);
    expect(effort(3)).toBe("once");
    robin.begin();
    expect(effort(3)).toBe("thrice");
  });

  table([
    ["a serial number", SERIAL, 0, "once"],
    ["the log", LOG, 0, "twice"],
    ["its telemetry, before it failed", TELEMETRY, 0, "once"],
    ["its telemetry, after one failure", TELEMETRY, 1, "wake"],
    ["its telemetry, after as many as it is woken for", TELEMETRY, MAX_WAKES, "wake"],
    ["its telemetry, after more", TELEMETRY, MAX_WAKES + 1, "once"],
    ["its settings", SETUP, 1, "once"],
  ] as const)("of a pack that seldom answers, by what is read", (_, what, failures, expected) => {
    Object.assign(packs[1]!, { isTrusted: false, failures });
    expect(effort(1, what)).toBe(expected);
  });

  it("a lost block of a pack that usually answers is paid for, a lost telemetry is not", () => {
    packs[3]!.fallSilent(true);
    run(SILENT_CREDIT);
    robin.begin();
    end(0, false, 1_000_000, TELEMETRY);
    expect(round()).toContain(3);
    end(0, false, 1_000_000, SETUP);
    expect(round()).not.toContain(3);
  });

  it("is twice at a start of one that answered last, unless that came late", () => {
    start(4);
    packs[1]!.isTrusted = false;
    expect([effort(1), effort(1, SETUP)]).toEqual(["twice", "twice"]);
    packs[1]!.hasBeenLate = true;
    expect([effort(1), effort(1, SETUP)]).toEqual(["once", "once"]);
    packs[1]!.hasBeenLate = false;
    run(GRACE);
    expect([effort(1), effort(1, SETUP)]).toEqual(["once", "once"]);
  });

  it("a lost block delays no silent pack at a start", () => {
    start(4);
    packs[3]!.fallSilent(true);
    end(0, false, 1_000_000, SETUP);
    run(1);
    expect(round()).toContain(3);
  });

  it("a lost block of a pack that usually answers costs GRACE_SHARE times its time, of another SILENT_SHARE times", () => {
    packs[3]!.fallSilent(true);
    for (const [isTrusted, share] of [
      [true, GRACE_SHARE],
      [false, SILENT_SHARE],
    ] as const) {
      packs[0]!.isTrusted = isTrusted;
      run(SILENT_DEBT);
      robin.begin();
      end(0, false, SILENT_CREDIT / GRACE_SHARE + 1_000, SETUP);
      run(Math.min(share * (SILENT_CREDIT / GRACE_SHARE + 1_000) - SILENT_CREDIT, SILENT_DEBT) - 1);
      expect(next() === 0 && [next(), next(), next()]).toEqual([1, 2, undefined]);
      run(1);
      expect(round()).toContain(3);
    }
  });
});

it("a pack is offline after OFFLINE_TIME or OFFLINE_ROUNDS, and may take longer until it failed OFFLINE_POLLS_IN_BANK polls", () => {
  const long = OFFLINE_TIME;
  expect(robin.patience(OFFLINE_POLLS_IN_BANK, OFFLINE_TIME / OFFLINE_ROUNDS)).toBe(OFFLINE_TIME);
  expect(robin.patience(OFFLINE_POLLS_IN_BANK, long)).toBe(OFFLINE_ROUNDS * long);
  expect(robin.patience(OFFLINE_POLLS_IN_BANK - 1, long)).toBe(OFFLINE_ROUNDS * long * OFFLINE_PATIENCE);
});
