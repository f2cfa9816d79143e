import { beforeEach, describe, expect, it } from "vitest";
import Digital from "../../host-sim/io/digital";
import { LED_INTERVAL } from "../../src/health/limits";
import { StatusLed, type Pattern } from "../../src/health/status-led";
import DEFAULTS from "../../src/settings/defaults";
import type { DeviceSettings } from "../../src/settings/types";
import { poweredBoard } from "../support/system/simulated-board";

const PIN = 12;

/** The table of docs/boards.md, one character per 125 ms. */
const SHOWN: Readonly<Record<Pattern, string>> = {
  well: "#...............",
  silent: "#.#.............",
  attention: "#.#.#.#.........",
  portal: "########........",
  alarm: "####....####....",
  update: "#.#.#.#.#.#.#.#.",
  button: "################",
};
const CYCLE = 16;

let board: ReturnType<typeof poweredBoard>;
let device: { ledPattern: Pattern; settings: { device: DeviceSettings } | undefined };
let led: StatusLed;
beforeEach(() => {
  board = poweredBoard();
  device = { ledPattern: "well", settings: { device: DEFAULTS.device } };
  led = new StatusLed({ io: Digital, pin: PIN, device });
});

/** The next `steps` steps of the pattern. */
function steps(count: number): string {
  let seen = "";
  for (let step = 0; step < count; step++) {
    board.clock.runFor(LED_INTERVAL);
    seen += board.pin(PIN).level ? "#" : ".";
  }
  return seen;
}

it("stays off until the first step", () => {
  expect(board.pin(PIN).level).toBe(0);
  board.clock.runFor(LED_INTERVAL - 1);
  expect(board.pin(PIN).level).toBe(0);
  board.clock.runFor(1);
  expect(board.pin(PIN).level).toBe(1);
});

it("a pattern takes 2 s", () => {
  expect(LED_INTERVAL * CYCLE).toBe(2_000);
});

describe.each(Object.entries(SHOWN) as [Pattern, string][])("%s", (pattern, shown) => {
  it("shows from its beginning, repeatedly", () => {
    device.ledPattern = pattern;
    expect(steps(3 * CYCLE)).toBe(shown.repeat(3));
  });
});

it("changes to another pattern at the next step, without starting over", () => {
  steps(5);
  device.ledPattern = "portal";
  expect(steps(CYCLE)).toBe("###........#####");
});

describe("switched off by the owner", () => {
  const set = (statusLed: boolean): void => {
    device.settings = { device: { ...DEFAULTS.device, statusLed } };
  };

  it.each(Object.keys(SHOWN) as Pattern[])("shows nothing of %s, unless it is the button", (pattern) => {
    set(false);
    device.ledPattern = pattern;
    expect(steps(CYCLE)).toBe(pattern === "button" ? SHOWN.button : ".".repeat(CYCLE));
  });

  it("counts from the next step, and so does switching it on again", () => {
    device.ledPattern = "update";
    expect(steps(1)).toBe("#");
    set(false);
    expect(steps(3)).toBe("...");
    set(true);
    expect(steps(4)).toBe("#.#.");
  });
});

it("shows a start that failed, without settings", () => {
  device.settings = undefined;
  device.ledPattern = "alarm";
  expect(steps(CYCLE)).toBe(SHOWN.alarm);
});

it("stays as it is after close", () => {
  device.ledPattern = "button";
  steps(1);
  led.close();
  device.ledPattern = "well";
  expect(steps(CYCLE)).toBe(SHOWN.button);
});

it("throws if the pin is in use", () => {
  expect(() => new StatusLed({ io: Digital, pin: PIN, device })).toThrow();
});

it("frees its pin when there is no memory for its timer: it can be tried again", () => {
  const { refusals } = poweredBoard();
  const make = (): StatusLed => new StatusLed({ io: Digital, pin: PIN, device });
  refusals.failAllocation(2);
  expect(make).toThrow("add failed");
  expect(make).not.toThrow();
});
