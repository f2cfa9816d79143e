import { beforeEach, expect, it } from "vitest";
import Digital from "../../host-sim/io/digital";
import { DrivenPins } from "../../src/health/driven-pins";
import { claimedPins } from "../support/fakes/pins";
import { poweredBoard } from "../support/system/simulated-board";

const PINS = [
  { pin: 16, level: 1 },
  { pin: 19, level: 1 },
  { pin: 17, level: 1 },
  { pin: 23, level: 0 },
] as const;

let board: ReturnType<typeof poweredBoard>;
/** What was driven, in order. */
let driven: string[];
beforeEach(() => {
  board = poweredBoard();
  driven = [];
  for (const { pin } of PINS) board.pin(pin).onOutput = (level) => driven.push(`${pin}=${level}`);
});

it("are driven in order, and claimed once", () => {
  const pins = new DrivenPins(Digital, PINS);
  expect(claimedPins(board)).toEqual([]);
  pins.start();
  pins.start();
  expect(driven).toEqual(["16=1", "19=1", "17=1", "23=0"]);
});

it.each([0, 1, PINS.length - 1])("are driven each on its own: one that is refused (%d) is tried again", (at) => {
  const { pin, level } = PINS[at]!;
  board.refusals.pins.add(pin);
  const pins = new DrivenPins(Digital, PINS);
  expect(() => pins.start()).toThrow(`pin ${pin} in use`);
  const others = PINS.filter((_, other) => other !== at).map(({ pin, level }) => `${pin}=${level}`);
  expect(driven).toEqual(others);
  board.refusals.pins.clear();
  pins.start();
  expect(driven).toEqual([...others, `${pin}=${level}`]);
});

it("of several that are refused the first is named", () => {
  for (const { pin } of PINS) board.refusals.pins.add(pin);
  expect(() => new DrivenPins(Digital, PINS).start()).toThrow("pin 16 in use");
});

it("of a board without any there is nothing to start", () => {
  new DrivenPins(Digital).start();
  expect(claimedPins(board)).toEqual([]);
});
