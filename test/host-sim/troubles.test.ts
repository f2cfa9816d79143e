import { expect, it } from "vitest";
import { RESET, SimulatedBoard, TASK_WATCHDOG } from "../../host-sim/board";
import { defaultConfig } from "../../host-sim/config";
import { parseTrouble, play, troubleHelp, TROUBLES } from "../../host-sim/troubles";

const SECOND = 1_000;
const BUTTON = 13;

/** A board with a firmware that counts its starts, and the troubles that it is told of. */
async function started(): Promise<{ board: SimulatedBoard; starts: () => number; said: string[] }> {
  const config = { pins: { ...defaultConfig().pins, button: BUTTON } };
  const board = new SimulatedBoard({ console: () => undefined, config });
  let starts = 0;
  await board.boot(() => void starts++);
  return { board, starts: () => starts, said: [] };
}

const order = (board: SimulatedBoard, text: string, said: string[]): void =>
  play(board, parseTrouble(text), (told) => said.push(told));

it.each([
  ["panic", RESET.panic, 0],
  ["exception", RESET.software, 0],
  ["brown-out", RESET.brownOut, 0],
  ["power-cut", RESET.powerOn, 0],
  ["hang", RESET.taskWatchdog, TASK_WATCHDOG],
])("%s happens at its time, not before, and once", async (kind, reason, later) => {
  const { board, starts, said } = await started();
  order(board, `${kind}:at=3`, said);
  board.clock.runFor(3 * SECOND + later - 1);
  await board.restarted;
  expect([starts(), said.length]).toEqual([1, later ? 1 : 0]);
  board.clock.runFor(1);
  await board.restarted;
  expect([starts(), board.resetReason, said]).toEqual([2, reason, [`simulator: ${kind}\n`]]);
  board.clock.runFor(100 * SECOND);
  await board.restarted;
  expect(starts()).toBe(2);
  board.powerOff();
});

it("repeats as often as configured, at equal intervals", async () => {
  const { board, starts, said } = await started();
  order(board, "panic:at=2:times=3", said);
  for (let count = 1; count <= 5; count++) {
    board.clock.runFor(2 * SECOND);
    await board.restarted;
    expect(starts()).toBe(1 + Math.min(count, 3));
  }
  board.powerOff();
});

it("holds the button for the configured time", async () => {
  const { board, said } = await started();
  order(board, "button:at=1:for=6", said);
  const pin = board.pin(BUTTON);
  pin.configure(undefined, 1);
  const levels = [0.9, 0.2, 5.8, 0.2].map((seconds) => {
    board.clock.runFor(seconds * SECOND);
    return pin.level;
  });
  expect(levels).toEqual([1, 0, 0, 1]);
  board.powerOff();
});

it("each has a line in the help", () => {
  for (const kind of Object.keys(TROUBLES)) expect(troubleHelp()).toContain(`  ${kind} `);
  expect(() => parseTrouble("gremlins")).toThrow(
    'no trouble is called "gremlins"; there are: hang, panic, exception, brown-out, power-cut, button, no-link, no-phy,',
  );
});
