import { beforeEach, describe, expect, it } from "vitest";
import {
  MEMORY_LOOKS,
  MIN_BLOCK,
  MIN_FREE,
  POLL_LIMIT,
  STABLE_AFTER,
  SUPERVISION_INTERVAL,
} from "../../src/health/limits";
import { Uptime } from "../../src/bms/uptime";
import { Supervisor } from "../../src/health/supervisor";
import { poweredBoard } from "../support/system/simulated-board";

const INTERVAL = 1_000;
const DAY = 24 * 3_600_000;

let board: ReturnType<typeof poweredBoard>;
let world: {
  pollsBegun: number | undefined;
  polling: boolean;
  onlyListens: boolean;
  bus: object | undefined;
  listening: boolean;
  causes: string[];
  settled: number;
  looks: number;
};
let supervisor: Supervisor;
let uptime: Uptime;
beforeEach(() => {
  board = poweredBoard();
  world = {
    pollsBegun: 0,
    polling: true,
    onlyListens: false,
    bus: {},
    listening: true,
    causes: [],
    settled: 0,
    looks: 0,
  };
  uptime = new Uptime();
  supervisor = new Supervisor({
    get start() {
      return { safe: world.pollsBegun === undefined };
    },
    get monitor() {
      return { listening: world.onlyListens, bus: world.bus, pollsBegun: world.pollsBegun ?? 0 };
    },
    settings: { bms: { interval: INTERVAL } },
    server: world,
    uptime: () => uptime.seconds,
    restartFor: (cause) => void world.causes.push(cause),
    settled: () => world.settled++,
    conditions: { look: () => void world.looks++ },
  });
});

function runFor(ms: number): void {
  for (const end = board.clock.now + ms; board.clock.now < end;) {
    if (world.polling && world.pollsBegun !== undefined) world.pollsBegun++;
    board.clock.runFor(Math.min(INTERVAL, end - board.clock.now));
  }
}

it("leaves a working device alone, and reports once that it has run long enough", () => {
  runFor(STABLE_AFTER - SUPERVISION_INTERVAL);
  expect(world.settled).toBe(0);
  runFor(SUPERVISION_INTERVAL);
  expect(world.settled).toBe(1);
  runFor(DAY / 24);
  expect(world).toMatchObject({ causes: [], settled: 1 });
});

describe("without polls", () => {
  it("for a minute beyond the interval: restarts once, not earlier", () => {
    runFor(10_000);
    world.polling = false;
    runFor(POLL_LIMIT + INTERVAL - SUPERVISION_INTERVAL);
    expect(world.causes).toEqual([]);
    runFor(3 * SUPERVISION_INTERVAL);
    expect(world.causes).toEqual(["no-poll"]);
    runFor(DAY / 24);
    expect(world.causes).toHaveLength(1);
  });

  it("ever: restarts", () => {
    world.polling = false;
    runFor(POLL_LIMIT + 3 * SUPERVISION_INTERVAL);
    expect(world.causes).toEqual(["no-poll"]);
  });

  it.each([
    ["in safe mode", () => void (world.pollsBegun = undefined)],
    ["while only listening", () => void (world.onlyListens = true)],
    ["while the port cannot be opened", () => void (world.bus = undefined)],
  ])("%s: does not restart", (_, begin) => {
    begin();
    world.polling = false;
    runFor(DAY / 24);
    expect(world.causes).toEqual([]);
  });
});

it("restarts when the server stops listening", () => {
  world.listening = false;
  runFor(SUPERVISION_INTERVAL);
  expect(world.causes).toEqual(["no-listener"]);
});

describe("low memory", () => {
  const LOW = [
    [MIN_FREE - 1, MIN_BLOCK],
    [MIN_FREE, MIN_BLOCK - 1],
  ] as const;

  it.each(LOW)("%d free, %d in one piece, for so many checks in a row: restarts, not earlier", (free, block) => {
    board.heap = [free, 0, block];
    runFor((MEMORY_LOOKS - 1) * SUPERVISION_INTERVAL);
    expect(world.causes).toEqual([]);
    runFor(SUPERVISION_INTERVAL);
    expect(world.causes).toEqual(["low-memory"]);
  });

  it("at its floor, or low for a moment, does not restart", () => {
    board.heap = [MIN_FREE, 0, MIN_BLOCK];
    runFor(60_000);
    for (let count = 0; count < 10; count++) {
      board.heap = [0, 0, 0];
      runFor((MEMORY_LOOKS - 1) * SUPERVISION_INTERVAL);
      board.heap = [MIN_FREE, 0, MIN_BLOCK];
      runFor(SUPERVISION_INTERVAL);
    }
    expect(world.causes).toEqual([]);
  });
});

it("memory that is low for a moment after a long stall does not restart it, although the SDK makes up for the missed checks", () => {
  board.script.busyFor((MEMORY_LOOKS + 1) * SUPERVISION_INTERVAL);
  board.clock.runFor(MEMORY_LOOKS * SUPERVISION_INTERVAL);
  board.heap = [0, 0, 0];
  board.clock.runFor(SUPERVISION_INTERVAL);
  board.heap = [MIN_FREE, 0, MIN_BLOCK];
  runFor(2 * SUPERVISION_INTERVAL);
  expect(world.causes).toEqual([]);
});

it("keeps the uptime running in safe mode without a request, although the ticks wrap", () => {
  world.pollsBegun = undefined;
  board.clock.runFor(40 * DAY);
  expect(uptime.seconds).toBe((40 * DAY) / 1_000);
});

it.each([0, undefined])("judges the device at each check, in safe mode too", (pollsBegun) => {
  world.pollsBegun = pollsBegun;
  runFor(4 * SUPERVISION_INTERVAL);
  expect(world.looks).toBe(4);
});

it("stops checking after close", () => {
  supervisor.close();
  world.listening = false;
  runFor(60_000);
  expect(world.causes).toEqual([]);
});
