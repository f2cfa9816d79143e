import { beforeEach, describe, expect, it } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import {
  MAX_CYCLE,
  OFFLINE_CYCLES,
  OFFLINE_LISTENING,
  OFFLINE_POLLS,
  OFFLINE_TIME,
  USUAL_CYCLE,
} from "../../src/packs/limits";
import { Presence } from "../../src/packs/presence";
import { lineBoard } from "../support/bms/line";

let board: SimulatedBoard;
let presence: OfOne;
/** What the owner was told, and when. */
let told: [what: string, at: number][];

beforeEach(() => {
  board = lineBoard();
  told = [];
  presence = new OfOne();
});

/** Of one pack that is polled. */
class OfOne extends Presence {
  listening = false;

  get uptime(): number {
    return Math.floor(board.clock.now / 1000);
  }

  patience(failures: number): number {
    return failures < OFFLINE_POLLS ? Infinity : OFFLINE_TIME;
  }

  wentOnline(): void {
    told.push(["online", board.clock.now]);
  }

  wentOffline(): void {
    told.push(["offline", board.clock.now]);
  }
}

const run = (ms: number): void => board.clock.runFor(ms);
const fail = (polls: number): void => {
  for (let poll = 0; poll < polls; poll++) presence.failed();
};

describe("a BMS", () => {
  it("starts offline, and failed polls notify nobody", () => {
    fail(10);
    run(2 * OFFLINE_TIME);
    expect(presence.online).toBe(false);
    expect(told).toEqual([]);
  });

  it("goes online at the first good poll, reported once", () => {
    run(100);
    presence.succeeded();
    presence.succeeded();
    expect(presence.online).toBe(true);
    expect(told).toEqual([["online", 100]]);
  });

  it("has values as old as its last reply, however long the device has run", () => {
    const DAY = 86_400_000;
    expect([presence.seconds, presence.milliseconds]).toEqual([undefined, undefined]);
    run(3 * DAY);
    presence.succeeded();
    run(1_500);
    expect([presence.seconds, presence.milliseconds]).toEqual([1, 1_500]);
    run(30 * DAY);
    expect(presence.seconds).toBe((30 * DAY) / 1_000 + 1);
  });

  it("goes offline without memory for a timer, too: at the next check", () => {
    presence.succeeded();
    board.refusals.failAllocation(1);
    fail(OFFLINE_POLLS);
    run(OFFLINE_TIME - 1);
    presence.check();
    expect(presence.online).toBe(true);
    run(1);
    expect(presence.online).toBe(false);
  });

  it("goes offline when both limits are exceeded: first the polls, then the time, to the millisecond", () => {
    presence.succeeded();
    run(1000);
    fail(OFFLINE_POLLS);
    run(OFFLINE_TIME - 1000 - 1);
    expect(presence.online).toBe(true);
    run(1);
    expect(presence.online).toBe(false);
    expect(told.at(-1)).toEqual(["offline", OFFLINE_TIME]);
  });

  it("goes offline when both limits are exceeded: first the time, then the polls", () => {
    presence.succeeded();
    run(OFFLINE_TIME);
    fail(OFFLINE_POLLS - 1);
    run(10 * OFFLINE_TIME);
    expect(presence.online).toBe(true);
    fail(1);
    expect(presence.online).toBe(false);
  });

  it("stays online when polls succeed again in time", () => {
    presence.succeeded();
    fail(OFFLINE_POLLS);
    run(OFFLINE_TIME - 1);
    presence.succeeded();
    run(OFFLINE_TIME);
    expect(presence.online).toBe(true);
    // The count of failed polls and the time begin anew.
    fail(OFFLINE_POLLS);
    expect(presence.online).toBe(false);
  });

  it("needs a single timer, however many polls fail", () => {
    presence.succeeded();
    const { count } = board.timers;
    fail(OFFLINE_POLLS + 5);
    expect(board.timers.count).toBe(count + 1);
    run(OFFLINE_TIME);
    expect(told.map(([what]) => what)).toEqual(["online", "offline"]);
    expect(board.timers.count).toBe(count);
  });

  it("that is no longer polled goes offline at once, reported once, with no timer left", () => {
    presence.succeeded();
    const { count } = board.timers;
    fail(OFFLINE_POLLS);
    presence.end();
    presence.end();
    expect(presence.online).toBe(false);
    expect(board.timers.count).toBe(count);
    expect(told.map(([what]) => what)).toEqual(["online", "offline"]);
  });
});

it("counts polls and lost polls", () => {
  presence.succeeded();
  fail(2);
  presence.succeeded();
  expect([presence.polls, presence.lostPolls]).toEqual([4, 2]);
});

describe("the age of the telemetry", () => {
  it("is unknown before the first good poll", () => {
    fail(3);
    run(5000);
    expect([presence.seconds, presence.milliseconds]).toEqual([undefined, undefined]);
  });

  it("counts from the last good poll, whether the BMS is online or not", () => {
    presence.succeeded();
    run(2000);
    presence.succeeded();
    run(2500);
    fail(OFFLINE_POLLS);
    expect([presence.seconds, presence.milliseconds]).toEqual([2, 2500]);
    run(60_000);
    expect(presence.online).toBe(false);
    expect([presence.seconds, presence.milliseconds]).toEqual([62, 62_500]);
  });

  it("counts whole seconds from the poll, not from the turn of a second", () => {
    run(900);
    presence.succeeded();
    run(999);
    expect(presence.seconds).toBe(0);
    run(1);
    expect(presence.seconds).toBe(1);
  });

  it("is exact to the millisecond for a day, and to the second beyond", () => {
    const day = 24 * 60 * 60 * 1000;
    presence.succeeded();
    run(day + 999);
    expect(presence.milliseconds).toBe(day + 999);
    run(1);
    expect(presence.milliseconds).toBe(day + 1000);
    run(30 * day + 1);
    expect(presence.milliseconds).toBe(31 * day + 1000);
  });
});

describe("a pack that another master asks", () => {
  /** The other master is answered so many times, `interval` ms apart. */
  const hear = (interval: number, times = 1): void => {
    for (let reply = 0; reply < times; reply++) {
      run(interval);
      presence.answeredOther();
    }
  };

  beforeEach(() => {
    presence.listening = true;
  });

  it("has the usual cycle until two replies have been heard, then theirs", () => {
    expect(presence.overheardCycle).toBe(USUAL_CYCLE);
    presence.answeredOther();
    expect([presence.online, presence.overheardCycle]).toEqual([true, USUAL_CYCLE]);
    hear(7_000);
    expect(presence.overheardCycle).toBe(7_000);
  });

  it("follows a new interval by a quarter with each reply: a single late one changes little", () => {
    presence.answeredOther();
    hear(8_000);
    hear(16_000);
    expect(presence.overheardCycle).toBe(10_000);
    hear(8_000);
    expect(presence.overheardCycle).toBe(9_500);
    hear(1_000);
    expect(presence.overheardCycle).toBe(7_375);
    hear(20_000, 30);
    expect(Math.abs(presence.overheardCycle - 20_000)).toBeLessThan(10);
  });

  it.each([
    [0, false],
    [MAX_CYCLE - 1, true],
    [MAX_CYCLE, false],
  ])("an interval of %i ms counts: %j", (interval, counts) => {
    presence.answeredOther();
    const before = presence.overheardCycle;
    // It stays online for all that time.
    presence.check = () => undefined;
    hear(interval);
    expect(presence.overheardCycle).toBe(counts ? interval : before);
  });

  it("goes offline after OFFLINE_CYCLES of the smoothed cycle, to the millisecond, whatever becomes of polls", () => {
    presence.answeredOther();
    hear(14_000);
    hear(40_000);
    // Three quarters of 14 s and one of 40 s.
    const patience = OFFLINE_CYCLES * 20_500;
    expect(patience).toBeGreaterThan(OFFLINE_LISTENING);
    fail(OFFLINE_POLLS + 1);
    run(patience - 1);
    expect(presence.online).toBe(true);
    run(1);
    expect(presence.online).toBe(false);
  });

  it("with a short cycle is online for OFFLINE_LISTENING", () => {
    presence.answeredOther();
    hear(500, 5);
    run(OFFLINE_LISTENING - 1);
    expect(presence.online).toBe(true);
    run(1);
    expect(presence.online).toBe(false);
  });

  it("does not count the time that it was offline as an interval", () => {
    presence.answeredOther();
    hear(500);
    run(OFFLINE_LISTENING);
    expect(presence.online).toBe(false);
    presence.answeredOther();
    expect(presence.overheardCycle).toBe(500);
  });

  it("counts the first interval although it was offline by then, and not the time since its last poll", () => {
    presence.succeeded();
    hear(2_000);
    expect(presence.overheardCycle).toBe(USUAL_CYCLE);
    run(OFFLINE_LISTENING);
    expect(presence.online).toBe(false);
    hear(60_000 - OFFLINE_LISTENING);
    expect(presence.overheardCycle).toBe(60_000);
    run(OFFLINE_CYCLES * 60_000 - 1);
    expect(presence.online).toBe(true);
  });

  it("forgets the cycle, and failed polls, when it begins or ends to be another's", () => {
    presence.answeredOther();
    hear(9_000);
    fail(OFFLINE_POLLS - 1);
    presence.listening = false;
    presence.listeningChanged();
    expect([presence.overheardCycle, presence.failures]).toEqual([USUAL_CYCLE, 0]);
    run(10 * OFFLINE_TIME);
    expect(presence.online).toBe(true);
  });

  it("is offline in time if it is never asked again once others are listened to", () => {
    presence.listening = false;
    presence.succeeded();
    presence.listening = true;
    presence.listeningChanged();
    const patience = Math.max(OFFLINE_CYCLES * USUAL_CYCLE, OFFLINE_LISTENING);
    run(patience - 1);
    expect(presence.online).toBe(true);
    run(1);
    expect(presence.online).toBe(false);
  });
});
