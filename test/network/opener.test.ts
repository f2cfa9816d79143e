import { beforeEach, describe, expect, it } from "vitest";
import { MAX_REOPEN, MIN_REOPEN } from "../../src/network/limits";
import { Opener } from "../../src/network/opener";
import type { SimulatedBoard } from "../../host-sim/board";
import { poweredBoard } from "../support/system/simulated-board";

let board: SimulatedBoard;
let lines: string[];
let refusal: string | undefined;
/** When it was tried, virtual ms. */
let tried: number[];
let opener: Opener;

beforeEach(() => {
  lines = [];
  tried = [];
  refusal = "no memory";
  board = poweredBoard({ console: (line) => lines.push(line) });
  opener = new Opener(
    {
      open() {
        tried.push(board.clock.now);
        if (refusal) throw new Error(refusal);
      },
    },
    "snmp",
  );
});

const pauses = (): number[] => tried.slice(1).map((at, n) => at - tried[n]!);

describe("a socket that the platform refuses", () => {
  it("is tried again after pauses that double up to a limit, for as long as it takes", () => {
    opener.start();
    board.clock.runFor(600_000);
    expect(pauses().slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((factor) => factor * MIN_REOPEN));
    expect(Math.max(...pauses())).toBe(MAX_REOPEN);
    refusal = undefined;
    board.clock.runFor(MAX_REOPEN);
    const { length } = tried;
    board.clock.runFor(600_000);
    expect(tried).toHaveLength(length);
  });

  it("is tried again even if there is no memory for anything", () => {
    opener.start();
    board.refusals.failAllocation(1);
    board.clock.runFor(600_000);
    expect(Math.max(...pauses())).toBe(MAX_REOPEN);
  });

  it("is logged once for each reason in turn, and again after it has been open", () => {
    opener.start();
    board.clock.runFor(600_000);
    expect(lines).toEqual(["snmp: no socket, trying again: Error: no memory\n"]);
    refusal = "port in use";
    board.clock.runFor(600_000);
    expect(lines).toHaveLength(2);
    opener.start();
    expect(lines).toHaveLength(2);
    refusal = undefined;
    opener.start();
    refusal = "port in use";
    opener.start();
    expect(lines).toHaveLength(3);
  });

  it("is not tried any more after stop; a new start begins with the shortest pause", () => {
    opener.start();
    board.clock.runFor(10_000);
    opener.stop();
    const { length } = tried;
    board.clock.runFor(600_000);
    expect(tried).toHaveLength(length);
    tried = [];
    opener.start();
    board.clock.runFor(3 * MIN_REOPEN);
    expect(pauses()).toEqual([MIN_REOPEN, 2 * MIN_REOPEN]);
  });
});
