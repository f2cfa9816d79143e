/** Which of the slow blocks is read next, and which of them count as read. */
import { DEVICE_INFO, FURTHER, LOG, SETUP, type BlockType } from "jk-bms/types";
import { beforeEach, describe, expect, it } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import {
  BLOCK_ATTEMPTS,
  DEVICE_INFO_PAUSE,
  DEVICE_INFO_PERIOD,
  LONE_SETUP_PERIOD,
  SETUP_PAUSE,
  SETUP_PAUSE_AFTER_CHANGE,
  SETUP_PERIOD,
} from "../../src/packs/limits";
import { SlowBlocks } from "../../src/packs/slow-blocks";
import { lineBoard } from "../support/bms/line";

const FAR = 2 * DEVICE_INFO_PERIOD;

let board: SimulatedBoard;
let slow: SlowBlocks;

const run = (ms: number): void => board.clock.runFor(ms);
/** All has been read, and the log is not due. */
const load = (): void => {
  slow.wentOnline(false);
  slow.requestLog(FAR);
  slow.ended(DEVICE_INFO, true);
  slow.ended(SETUP, true);
  slow.furtherEnded(true);
};
const read = (): unknown[] => [slow.loaded, slow.setupRead, slow.deviceInfoRead];

beforeEach(() => {
  board = lineBoard();
  slow = new SlowBlocks();
});

it("a pack that came online is asked for device information, setup and log, in this order, after its first reply", () => {
  slow.wentOnline(false);
  expect(slow.due).toBeUndefined();
  slow.polled(true);
  expect(slow.due).toBe(DEVICE_INFO);
  slow.ended(DEVICE_INFO, true);
  expect([slow.due, ...read()]).toEqual([SETUP, false, false, true]);
  slow.ended(SETUP, true);
  expect(slow.due).toBe(FURTHER);
  slow.furtherEnded(true);
  expect([slow.due, ...read()]).toEqual([LOG, true, true, true]);
  slow.requestLog(1);
  expect(slow.due).toBeUndefined();
  run(1);
  expect(slow.due).toBe(LOG);
});

it("the setup is read again after its period, not before", () => {
  load();
  run(SETUP_PERIOD - 1);
  expect(slow.due).toBeUndefined();
  run(1);
  expect(slow.due).toBe(SETUP);
});

it("the device information is read again after its period, not before", () => {
  load();
  const often = DEVICE_INFO_PERIOD / 60;
  for (let at = 0; at < DEVICE_INFO_PERIOD; at += often) {
    expect(slow.due).toBeUndefined();
    run(often);
    slow.ended(SETUP, true);
    slow.furtherEnded(true);
  }
  expect(slow.due).toBe(DEVICE_INFO);
});

describe("the further settings", () => {
  it("are read once after the settings, whatever becomes of it", () => {
    load();
    for (const ok of [true, false]) {
      run(SETUP_PERIOD);
      slow.ended(SETUP, true);
      expect(slow.due).toBe(FURTHER);
      slow.furtherEnded(ok);
      expect(slow.due).toBeUndefined();
    }
  });

  it("of a pack alone are read with its device information, and then once a minute, however often its settings are", () => {
    slow.wentOnline(false);
    slow.requestLog(FAR);
    slow.ended(DEVICE_INFO, true);
    slow.ended(SETUP, true, LONE_SETUP_PERIOD);
    expect(slow.due).toBeUndefined();
    for (let at = 0; at < 5; at++) {
      run(SETUP_PAUSE_AFTER_CHANGE);
      slow.ended(SETUP, true, LONE_SETUP_PERIOD);
      expect(slow.due).toBeUndefined();
    }
    run(LONE_SETUP_PERIOD);
    slow.ended(SETUP, true, LONE_SETUP_PERIOD);
    expect(slow.due).toBe(FURTHER);
  });
});

describe("the age of the setup", () => {
  it("is in whole seconds since it was read, and the device information does not make it younger", () => {
    load();
    run(1_999);
    slow.ended(DEVICE_INFO, true);
    expect(slow.setupAge).toBe(1);
    run(1);
    expect(slow.setupAge).toBe(2);
    slow.ended(SETUP, true);
    expect(slow.setupAge).toBe(0);
  });

  it("is since it was heard, if another master asked for it; of the device information nothing follows", () => {
    run(5_000);
    slow.heard(DEVICE_INFO);
    expect(slow.setupAge).toBe(5);
    slow.heard(SETUP);
    expect(slow.setupAge).toBe(0);
  });
});

describe("a change that the telemetry shows", () => {
  it("has the setup read at once if it is older than SETUP_PAUSE_AFTER_CHANGE, else when it is", () => {
    load();
    run(SETUP_PAUSE_AFTER_CHANGE - 1);
    slow.suspect();
    expect(slow.due).toBeUndefined();
    run(1);
    expect(slow.due).toBe(SETUP);
    slow.ended(SETUP, true);
    run(SETUP_PAUSE_AFTER_CHANGE);
    slow.suspect();
    expect(slow.due).toBe(SETUP);
  });
});

describe.each<[string, BlockType, number]>([
  ["setup", SETUP, SETUP_PAUSE],
  ["device information", DEVICE_INFO, DEVICE_INFO_PAUSE],
])("a failed read of the %s", (_, block, pause) => {
  it(`is tried ${BLOCK_ATTEMPTS} times in all, each after a good poll, then after a pause`, () => {
    load();
    slow.request(block);
    for (let attempt = 0; attempt < BLOCK_ATTEMPTS; attempt++) {
      expect(slow.due).toBe(block);
      slow.ended(block, false);
      expect([slow.due, slow.hasFailed]).toEqual([undefined, true]);
      slow.polled(true);
    }
    run(pause - 1);
    expect(slow.due).not.toBe(block);
    run(1);
    expect(slow.due).toBe(block);
  });

  it("counts as failed until one succeeds", () => {
    load();
    expect(slow.hasFailed).toBe(false);
    slow.ended(block, false);
    expect(slow.hasFailed).toBe(true);
    slow.polled(true);
    expect(slow.hasFailed).toBe(true);
    slow.ended(block, true);
    expect(slow.hasFailed).toBe(false);
  });
});

describe("what was heard while the pack was offline", () => {
  it.each([
    [true, [true, true, true]],
    [false, [false, false, false]],
  ])("counts when it comes online, listening: %s", (listening, expected) => {
    slow.heard(SETUP);
    slow.heard(DEVICE_INFO);
    expect(read()).toEqual([false, false, false]);
    slow.wentOnline(listening);
    expect(read()).toEqual(expected);
  });

  it.each([
    ["going offline", () => slow.wentOffline()],
    ["closing the bus", () => slow.forget()],
  ])("is forgotten by %s", (_, end) => {
    slow.heard(SETUP);
    slow.heard(DEVICE_INFO);
    end();
    slow.wentOnline(true);
    expect(read()).toEqual([false, false, false]);
  });
});

it("a bus that has been closed has no block, and asks for none before the next reply", () => {
  load();
  slow.request(SETUP);
  slow.forget();
  expect([slow.due, slow.setupRead, slow.deviceInfoRead]).toEqual([undefined, false, false]);
});

it("a pack that went offline keeps what was read, asks for nothing, and is not loaded", () => {
  load();
  slow.request(SETUP);
  slow.wentOffline();
  expect([slow.due, ...read()]).toEqual([undefined, false, true, true]);
});
