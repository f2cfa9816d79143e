import { beforeEach, describe, expect, it } from "vitest";
import Digital from "../../host-sim/io/digital";
import { Button } from "../../src/health/button";
import { BUTTON_GAP, BUTTON_INTERVAL, HOLD_ACCESS_POINT, HOLD_RESET, PRESENCE } from "../../src/health/limits";
import { poweredBoard } from "../support/system/simulated-board";

const PIN = 13;

let board: ReturnType<typeof poweredBoard>;
let console: string;
let done: string[];
let downs: number;
let button: Button;
const newButton = (): Button =>
  new Button({
    io: Digital,
    pin: PIN,
    device: {
      buttonDown: () => void downs++,
      renewAccessPoint: () => void done.push("access point"),
      resetByButton: () => void done.push("reset"),
    },
  });
beforeEach(() => {
  console = "";
  board = poweredBoard({ console: (text) => (console += text) });
  done = [];
  downs = 0;
  button = newButton();
});

/** Presses it for `ms`, and waits until it has been let go. */
function press(ms: number): void {
  board.pin(PIN).drive(0);
  board.clock.runFor(ms);
  board.pin(PIN).drive(undefined);
  board.clock.runFor(BUTTON_INTERVAL);
}

describe("pressed", () => {
  it("is false before, and while nothing is connected", () => {
    board.clock.runFor(PRESENCE);
    expect(button.pressed).toBe(false);
  });

  it("detects even the shortest press", () => {
    press(BUTTON_INTERVAL);
    expect(button.pressed).toBe(true);
    expect(done).toEqual([]);
  });

  it("is told once for each press, when it begins", () => {
    for (const ms of [BUTTON_INTERVAL, HOLD_ACCESS_POINT, HOLD_RESET + BUTTON_INTERVAL]) {
      const before = downs;
      board.pin(PIN).drive(0);
      board.clock.runFor(BUTTON_INTERVAL);
      expect(downs).toBe(before + 1);
      board.clock.runFor(ms);
      board.pin(PIN).drive(undefined);
      board.clock.runFor(BUTTON_INTERVAL);
      expect(downs).toBe(before + 1);
    }
  });

  it("is true for PRESENCE after the release, not longer, and does not come back", () => {
    press(2_000);
    board.clock.runFor(PRESENCE - 2 * BUTTON_INTERVAL);
    expect(button.pressed).toBe(true);
    board.clock.runFor(BUTTON_INTERVAL);
    expect(button.pressed).toBe(false);
    board.clock.runFor(3_600_000);
    expect(button.pressed).toBe(false);
  });

  it("restarts with each press", () => {
    press(100);
    board.clock.runFor(PRESENCE / 2);
    press(100);
    board.clock.runFor(PRESENCE - 2 * BUTTON_INTERVAL);
    expect(button.pressed).toBe(true);
  });
});

describe("held", () => {
  it.each([
    [HOLD_ACCESS_POINT - BUTTON_INTERVAL, []],
    [HOLD_ACCESS_POINT, ["access point"]],
    [HOLD_RESET - BUTTON_INTERVAL, ["access point"]],
    [HOLD_RESET, ["reset"]],
    [2 * HOLD_RESET, ["reset"]],
  ])("%d ms: %j", (ms, expected) => {
    press(ms);
    board.clock.runFor(HOLD_RESET);
    expect(done).toEqual(expected);
  });

  it("matches the 5 s and 15 s in docs/boards.md", () => {
    expect([HOLD_ACCESS_POINT, HOLD_RESET]).toEqual([5_000, 15_000]);
  });

  it("prints once when to release it", () => {
    board.pin(PIN).drive(0);
    board.clock.runFor(HOLD_ACCESS_POINT - BUTTON_INTERVAL);
    expect(console).toBe("");
    board.clock.runFor(HOLD_RESET);
    expect(console).toBe("button: release now to open the access point\n");
  });

  it("shows how long it is held until it is released", () => {
    board.pin(PIN).drive(0);
    board.clock.runFor(1_000);
    expect(button.held).toBe(1_000);
    board.pin(PIN).drive(undefined);
    board.clock.runFor(BUTTON_INTERVAL);
    expect(button.held).toBe(0);
  });
});

describe("a script that stands still for 3 s, whose missed ticks the SDK then makes up for all at once", () => {
  const STALL = 3_000;
  const HELD = HOLD_RESET - STALL + 100;

  it.each([
    ["before a press of 12 s", STALL - BUTTON_INTERVAL, 0],
    ["within it", 0, HELD / 2],
    ["at its end", 0, HELD - STALL + BUTTON_INTERVAL],
  ])("%s: no factory reset", (_, before, after) => {
    if (before) board.script.busyFor(STALL);
    board.clock.runFor(before);
    board.pin(PIN).drive(0);
    board.clock.runFor(after);
    if (!before) board.script.busyFor(STALL);
    board.clock.runFor(HELD - after);
    board.pin(PIN).drive(undefined);
    board.clock.runFor(STALL);
    expect(done).toEqual(["access point"]);
  });

  it("during which it was let go and pressed again: no factory reset", () => {
    board.pin(PIN).drive(0);
    board.clock.runFor(HELD);
    board.script.busyFor(STALL);
    board.pin(PIN).drive(undefined);
    board.clock.runFor(STALL - BUTTON_INTERVAL);
    press(STALL - 2 * BUTTON_GAP);
    expect(done).toEqual(["access point"]);
  });

  it("proves no presence beyond its time", () => {
    press(100);
    board.script.busyFor(PRESENCE + STALL);
    board.clock.runFor(PRESENCE + STALL);
    expect(button.pressed).toBe(false);
  });
});

it("presence ends although the ticks wrap", () => {
  press(100);
  const { now } = board.clock;
  board.clock.runFor(PRESENCE + 1_000);
  // It looks no more: days without its callbacks take no time.
  button.close();
  board.clock.runFor(2 ** 32 - (board.clock.now - now));
  expect(button.pressed).toBe(false);
});

it("held since before the start does nothing until it is released: a stuck one must not reset at every start", () => {
  board.powerOff();
  board.powerOn();
  board.pin(PIN).drive(0);
  button = newButton();
  press(2 * HOLD_RESET);
  expect([done, button.pressed, button.held]).toEqual([[], false, 0]);
  press(HOLD_RESET);
  expect([done, button.pressed]).toEqual([["reset"], true]);
});

it("closed stops sampling", () => {
  button.close();
  press(HOLD_RESET);
  expect([done, button.pressed]).toEqual([[], false]);
});

it("frees its pin when there is no memory for its timer: it can be tried again", () => {
  const { refusals } = poweredBoard();
  refusals.failAllocation(2);
  expect(newButton).toThrow("add failed");
  expect(newButton).not.toThrow();
});
