import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import { MAX_TURN_WAIT, TURN_STEP } from "../../src/endpoints/limits";
import { Turns } from "../../src/endpoints/turns";
import { FakeExchange } from "../support/http/fake-exchange";
import { poweredBoard } from "../support/system/simulated-board";

const MOST = 2;
let board: SimulatedBoard;
let turns: Turns;
beforeEach(() => {
  board = poweredBoard();
  turns = new Turns(MOST);
});
afterEach(() => {
  vi.restoreAllMocks();
  board.powerOff();
});

interface Asked {
  readonly exchange: FakeExchange;
  became: "" | "begun" | "refused";
}

function ask(): Asked {
  const asked: Asked = { exchange: new FakeExchange({}), became: "" };
  turns.take(
    asked.exchange,
    () => void (asked.became = "begun"),
    () => void (asked.became = "refused"),
  );
  return asked;
}

const all = (asked: readonly Asked[]): string[] => asked.map(({ became }) => became);
/** Two that are being made. */
const fill = (): Asked[] => Array.from({ length: MOST }, ask);

it("begins as many at once as are made at a time", () => {
  expect(all(fill())).toEqual(["begun", "begun"]);
});

it("further ones wait, and begin in their order as others end", () => {
  fill();
  const waiting = [ask(), ask(), ask()];
  board.clock.runFor(1_000);
  expect(all(waiting)).toEqual(["", "", ""]);
  turns.end();
  board.clock.runFor(TURN_STEP);
  expect(all(waiting)).toEqual(["begun", "", ""]);
  turns.end();
  turns.end();
  board.clock.runFor(TURN_STEP);
  expect(all(waiting)).toEqual(["begun", "begun", "begun"]);
});

it("nobody who comes later is made before those that wait", () => {
  fill();
  const first = ask();
  turns.end();
  const second = ask();
  board.clock.runFor(TURN_STEP);
  expect(all([first, second])).toEqual(["begun", ""]);
});

it("leaves out those whose client has gone", () => {
  fill();
  const [gone, next] = [ask(), ask()];
  gone.exchange.open = false;
  turns.end();
  board.clock.runFor(TURN_STEP);
  expect(all([gone, next])).toEqual(["", "begun"]);
});

it("keeps nothing of clients that have gone, however many come", () => {
  fill();
  for (let count = 0; count < 100; count++) ask().exchange.open = false;
  ask();
  expect((turns as unknown as { waiting: unknown[] }).waiting).toHaveLength(1);
});

it("refuses one that has waited for too long, and no sooner", () => {
  fill();
  const asked = ask();
  board.clock.runFor(MAX_TURN_WAIT - TURN_STEP);
  expect(asked.became).toBe("");
  board.clock.runFor(TURN_STEP);
  expect(asked.became).toBe("refused");
});

it("by time, however few steps a busy script has had", async () => {
  const { default: timer } = await import("timer");
  vi.spyOn(timer, "repeat").mockReturnValue({} as ReturnType<typeof timer.repeat>);
  vi.spyOn(timer, "clear").mockReturnValue(undefined);
  fill();
  const asked = ask();
  board.clock.runFor(MAX_TURN_WAIT - 1);
  turns.tick();
  expect(asked.became).toBe("");
  board.clock.runFor(1);
  turns.tick();
  expect(asked.became).toBe("refused");
});

it("the turn of one that could not begin is free", () => {
  const begin = (): void =>
    turns.take(
      new FakeExchange({}),
      () => {
        throw new Error("no memory");
      },
      () => undefined,
    );
  for (let count = 0; count < 3; count++) expect(begin).toThrow("no memory");
  expect(all(fill())).toEqual(["begun", "begun"]);
});

describe("without memory for a timer", () => {
  it("refuses whoever would have to wait", async () => {
    const { default: timer } = await import("timer");
    fill();
    vi.spyOn(timer, "repeat").mockImplementation(() => {
      throw new Error("no memory");
    });
    const refused = ask();
    expect(refused.became).toBe("refused");
    vi.restoreAllMocks();
    const waiting = ask();
    turns.end();
    board.clock.runFor(TURN_STEP);
    expect(waiting.became).toBe("begun");
  });
});
