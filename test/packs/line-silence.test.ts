/** How long a search listens before it asks on a line whose baud rate may be another. */
import Time from "time";
import { beforeEach, describe, expect, it } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import { LineSilence } from "../../src/packs/line-silence";
import { SEARCH_LISTEN, SEARCH_PATIENCE, SEARCH_SILENCE } from "../../src/packs/limits";
import { lineBoard } from "../support/bms/line";

let board: SimulatedBoard;
let silence: LineSilence;
/** The bus was opened, or a byte was heard: ticks. */
let heard: number;

const run = (ms: number): void => board.clock.runFor(ms);
const hear = (): void => void (heard = Time.ticks);

beforeEach(() => {
  board = lineBoard();
  silence = new LineSilence();
  hear();
});

describe("a line", () => {
  it("on which nothing was ever heard is silent after SEARCH_LISTEN", () => {
    run(SEARCH_LISTEN - 1);
    expect([silence.isSilent(heard), silence.isAwaited]).toEqual([false, true]);
    run(1);
    expect([silence.isSilent(heard), silence.isAwaited]).toEqual([true, false]);
  });

  it.each([1, SEARCH_LISTEN - 1])("on which a byte was heard after %i ms is silent SEARCH_SILENCE later", (ms) => {
    run(ms);
    hear();
    run(SEARCH_SILENCE - 1);
    expect(silence.isSilent(heard)).toBe(false);
    run(1);
    expect(silence.isSilent(heard)).toBe(true);
  });

  it("that was silent stays so, whatever it is asked, until something comes that is no reply", () => {
    run(SEARCH_LISTEN);
    expect(silence.isSilent(heard)).toBe(true);
    hear();
    expect(silence.isSilent(heard)).toBe(true);
    silence.disturbed();
    run(SEARCH_SILENCE - 1);
    expect(silence.isSilent(heard)).toBe(false);
    run(1);
    expect(silence.isSilent(heard)).toBe(true);
  });
});

describe("a search", () => {
  it("gives a line up on which something is heard all the time for SEARCH_PATIENCE", () => {
    for (let ms = 0; ms < SEARCH_PATIENCE - 1; ms++) {
      run(1);
      hear();
      silence.isSilent(heard);
    }
    expect(silence.isHopeless).toBe(false);
    run(1);
    expect(silence.isHopeless).toBe(true);
  });

  it("waits once more if it is disturbed, and not twice", () => {
    run(SEARCH_PATIENCE - 1);
    silence.disturbed();
    run(1);
    expect(silence.isHopeless).toBe(false);
    silence.disturbed();
    expect(silence.isHopeless).toBe(true);
  });

  it("does not give up a line that is silent", () => {
    run(SEARCH_PATIENCE);
    expect(silence.isSilent(heard)).toBe(true);
    expect(silence.isHopeless).toBe(false);
  });
});
