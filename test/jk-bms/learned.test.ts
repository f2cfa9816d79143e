/** What is learned of how a pack is read, kept as a number while another pack is asked. */
import { describe, expect, it } from "vitest";
import { KNOWN_LONG_READ_DOUBTS, LONG_READ_DOUBTS, POLLS_BEFORE_CHANGE } from "../../modules/jk-bms/limits";
import { LongRead } from "../../modules/jk-bms/long-read";
import { ReadModeChoice } from "../../modules/jk-bms/read-mode";

const BUSY = 6;
const ILLEGAL_VALUE = 3;

describe("whether the long read is answered", () => {
  /** The same, in another object, which has seen another pack. */
  function moved(from: LongRead): LongRead {
    const to = new LongRead();
    to.refusedWith(ILLEGAL_VALUE);
    to.answered();
    to.state = from.state;
    return to;
  }

  it("is tried with a pack of which nothing is known, and doubted until it has been answered", () => {
    const long = moved(new LongRead());
    expect([long.tried, long.unanswered()]).toEqual([true, true]);
  });

  it("is remembered once it was, until it goes unanswered", () => {
    let long = new LongRead();
    long.answered();
    long = moved(long);
    expect([long.tried, long.unanswered()]).toEqual([true, false]);
    long = moved(long);
    expect([long.tried, long.unanswered()]).toEqual([true, true]);
  });

  it("is remembered when it was refused, which proves nothing", () => {
    let long = new LongRead();
    long.refusedWith(BUSY);
    expect(moved(long).tried).toBe(true);
    long.refusedWith(ILLEGAL_VALUE);
    long = moved(long);
    expect([long.tried, long.unanswered()]).toEqual([false, true]);
  });

  it("is not given up for one exception of a pack that has answered it, but for as many in a row as it may leave unanswered", () => {
    let long = new LongRead();
    for (const refusals of [KNOWN_LONG_READ_DOUBTS - 1, KNOWN_LONG_READ_DOUBTS]) {
      long.answered();
      for (let refusal = 0; refusal < refusals; refusal++) {
        expect([long.tried, long.refusedWith(ILLEGAL_VALUE)]).toEqual([true, true]);
        long = moved(long);
      }
    }
    expect([long.tried, long.unanswered()]).toEqual([false, false]);
  });

  it("is doubted as often as if nobody else had been asked", () => {
    let long = new LongRead();
    for (let doubts = 1; doubts <= LONG_READ_DOUBTS; doubts++) {
      long.doubt();
      long = moved(long);
      expect(long.tried).toBe(doubts < LONG_READ_DOUBTS);
    }
    expect(long.unanswered()).toBe(true);
  });

  it("is doubted from the beginning, and longer, once it has been answered", () => {
    let long = new LongRead();
    for (let doubts = 1; doubts < LONG_READ_DOUBTS; doubts++) long.doubt();
    long.answered();
    long = moved(long);
    for (let doubts = 1; doubts < KNOWN_LONG_READ_DOUBTS; doubts++) {
      long.doubt();
      long = moved(long);
    }
    expect([long.tried, moved(long).tried]).toEqual([true, true]);
    long.doubt();
    expect([long.tried, moved(long).tried]).toEqual([false, false]);
  });
});

describe("the read mode", () => {
  function moved(from: ReadModeChoice): ReadModeChoice {
    const to = new ReadModeChoice("auto");
    to.polled(false);
    to.state = from.state;
    return to;
  }

  it.each(["registers", "frames"] as const)("%s is remembered, with the polls that failed in it", (mode) => {
    let choice = new ReadModeChoice(mode);
    expect(moved(choice).mayWake).toBe(true);
    const other = mode === "frames" ? "registers" : "frames";
    for (let failed = 1; failed <= POLLS_BEFORE_CHANGE; failed++) {
      choice = moved(choice);
      choice.polled(false);
      const isLast = failed === POLLS_BEFORE_CHANGE;
      expect([moved(choice).active, moved(choice).mayWake]).toEqual([isLast ? other : mode, isLast]);
    }
  });

  it("stays as long as any poll is answered", () => {
    let choice = new ReadModeChoice("frames");
    for (let round = 0; round < POLLS_BEFORE_CHANGE; round++) {
      for (let failed = 1; failed < POLLS_BEFORE_CHANGE; failed++) choice.polled(false);
      choice = moved(choice);
      choice.polled(true);
      choice = moved(choice);
      expect([choice.active, choice.mayWake]).toEqual(["frames", true]);
    }
  });
});
